import { deepEqual, equal } from 'node:assert/strict'
import { checkRefused } from '#test/contract/bench.js'
import { contractWorld } from '#test/support/contract-world.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { textsOf } from '#test/support/writing-world.js'

const wit = `/characters/${encodeURIComponent('Wit Kłos')}`

/** Values that would be read back as something else, and where each is sent. */
const marks: ReadonlyArray<readonly [what: string, value: string, error?: string]> = [
  ['a range', 'Zna port (2024:)'],
  ['a closed range', 'Zna port (:2024-05)'],
  ['a range of no month', 'Zna port (2024-13:)'],
  ['nothing but a range', '(2024:2025)'],
  ['the mark of a machine', 'Zna port (auto)'],
  ['the mark after a range', 'Zna port (2024:) (auto)'],
  ['the mark after a hard blank', 'Zna port\u00a0(auto)'],
  ['a tag', '@pu_suma: 999'],
  ['a tag without a value', '@rola'],
  ['a BOM', '\ufeffZna port'],
  ['an ideographic blank', 'Zna port\u3000'],
  ['more than a value holds', 'ż'.repeat(4097), 'BoundExceeded'],
  ['more marks than any writing', `e${'\u0301'.repeat(31)}`],
]

/** What reads as one line whatever it looks like. */
const plain: ReadonlyArray<readonly [what: string, value: string]> = [
  ['a heading', '### Injected'],
  ['a bullet', '- Zna port'],
  ['a fence', '```'],
  ['an HTML comment', '<!-- Zna port'],
  ['a link', '[[Port|x]]'],
  ['a colon', ': Zna port'],
  ['a range in full-width brackets', 'Zna port （2024:）'],
  ['an empty range', 'Zna port (:)'],
]

describe('SECURITY 4.8.27 values of entities and characters', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({
      snapshot: contractWorld(),
      callers: { own: callerWith(['player.write.own'], 'Brzoza') },
    })
  })
  beforeEach(() => front.serve(contractWorld()))
  after(() => front.close())

  const texts = () => textsOf(front.world() ?? contractWorld())
  const ask = (method: string, path: string, body: object, token?: string) =>
    front.client.ask(path, { method, body: JSON.stringify(body), ...(token === undefined ? {} : { token }) })
  const rows = {
    'entities.update': (value: string) => ask('PATCH', '/entities/Iskra', { tag: 'info', value }),
    'characters.update': (value: string) => ask('PATCH', wit, { tag: '@przedmiot_specjalny', value }, 'own'),
    'entities.create': (value: string) =>
      ask('POST', '/entities', { name: 'Nowa', type: 'NPC', tags: { info: ['Zna las.', value] } }),
    'characters.create': (value: string) =>
      ask('POST', '/characters', { name: 'Nowa', tags: { należy_do: 'Brzoza', stan: value } }, 'own'),
  } as const
  const rowNames = ['entities.update', 'characters.update', 'entities.create', 'characters.create'] as const

  for (const row of rowNames) {
    for (const [what, value, error = 'ValueRefused'] of marks)
      it(`${row} | ${what} | 422 ${error}`, async () => {
        const before = texts()
        const reply = await rows[row](value)
        deepEqual([reply.status, isFields(reply.json) && reply.json['error']], [422, error], reply.text)
        deepEqual(texts(), before)
      })
    for (const [what, value] of plain)
      it(`${row} | ${what} | one line, read back`, async () => {
        const before = texts()['encje/indeks.md']?.split('\n') ?? []
        equal((await rows[row](value)).status < 300, true)
        const name = row.endsWith('create') ? 'Nowa' : row === 'entities.update' ? 'Iskra' : 'Wit Kłos'
        const { text, json } = await front.client.ask(`/entities/${encodeURIComponent(name)}`)
        equal(text.includes(JSON.stringify(value)), true, text)
        equal(isFields(json) && json['Name'], name)
        const added = (texts()['encje/indeks.md']?.split('\n') ?? []).length - before.length
        // A block of five lines, the blank one before it among them, or one row.
        equal(added, row.endsWith('create') ? 5 : 1)
      })
  }

  for (const [what, text] of [
    ['a tag', '@pu_suma: 999'],
    ['a line', 'a\n- @pu_suma: 9'],
    ['none', 'Brak.'],
  ] as const)
    it(`characters.info.add | ${what} | 422 ValueRefused`, async () => {
      const before = texts()
      equal((await ask('POST', `${wit}/info`, { text }, 'own')).status, 422)
      equal((await ask('PUT', `${wit}/info`, { match: 'Ma bliznę.', text }, 'own')).status, 422)
      deepEqual(texts(), before)
    })
})

describe('SECURITY 4.4 fields that a body may not set', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: contractWorld() })
  })
  beforeEach(() => front.serve(contractWorld()))
  after(() => front.close())

  const texts = () => JSON.stringify(textsOf(front.world() ?? contractWorld()))
  const extra = {
    ...{
      owner: 'xyzzy',
      capabilities: ['xyzzy'],
      id: 'xyzzy',
      status: 'xyzzy',
      gameId: 'xyzzy',
      gameid: 'xyzzy',
    },
    ...{ constructor: { prototype: { polluted: 'xyzzy' } }, prototype: { polluted: 'xyzzy' }, File: 'xyzzy' },
  }
  const bodies: ReadonlyArray<readonly [method: string, path: string, body: object]> = [
    ['POST', '/entities', { name: 'Nowa', type: 'NPC' }],
    ['PATCH', '/entities/Iskra', { tag: 'info', value: 'Zna las.' }],
    ['POST', '/entities/Iskra/name', { name: 'Iskra Stara' }],
    ['POST', '/characters', { name: 'Nowa', tags: { należy_do: 'Brzoza' } }],
    ['PATCH', wit, { tag: 'stan', value: 'Ranny.' }],
    ['POST', `${wit}/info`, { text: 'Zna las.' }],
    ['POST', '/locations', { name: 'Młyn' }],
    ['POST', '/maps/traversal', { source: 'Zamorze', target: 'Port Zamorze' }],
  ]
  for (const [method, path, body] of bodies)
    it(`${method} ${decodeURIComponent(path)} | fields that it does not know | 400, never stored, nothing polluted`, async () => {
      const reply = await front.client.ask(path, { method, body: JSON.stringify({ ...extra, ...body }) })
      checkRefused(reply, 400, 'BodyInvalid')
      equal(texts().includes('xyzzy'), false)
      equal(Reflect.get({}, 'polluted'), undefined)
    })

  for (const tag of [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'id',
    'capabilities',
    'rola',
    'klucz_api',
  ])
    it(`tags | ${tag} | 422 TagUnknown, __proto__ 400`, async () => {
      const before = texts()
      const named = `{"name": "Nowa", "type": "NPC", "tags": {${JSON.stringify(tag)}: "x"}}`
      const made = await front.client.ask('/entities', { method: 'POST', body: named })
      equal(made.status, tag === '__proto__' ? 400 : 422, made.text)
      const patch = { method: 'PATCH', body: JSON.stringify({ tag, value: 'x' }) }
      equal((await front.client.ask('/entities/Iskra', patch)).status, 422)
      equal(texts(), before)
    })
})
