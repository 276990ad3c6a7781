import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { textOfLines } from '#test/support/text-of-lines.js'
import { worldOf } from '#test/support/world.js'

const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': textOfLines('## Gracz', '### Solmyr', '- @gameid: 1'),
  'encje/indeks.md': textOfLines(
    '### Wit Kłos',
    '- @typ: Postać',
    '- @należy_do: Solmyr',
    '- @stan: Ranny SEKRET (2026-05:)',
    '### Orrin',
    '- @typ: NPC',
    '- @alias: Wędrowiec',
    '- @lokacja: Jaskinia SEKRET (2026-05:)',
    '### Wędrowiec Sekretny',
    '- @typ: Postać',
    '- @alias: Orrin',
    '### Karczma',
    '- @typ: NPC',
    '- @ref: encje/SEKRET.md',
  ),
  'encje/SEKRET.md': textOfLines('- @lokacja: Port'),
  'sesje/SEKRET.md': textOfLines('### 2026-05-01, Próba OGNIA, Solmyr', '', 'Treść.'),
})

const writes = ['entity.write', 'player.write', 'session.write', 'session.report']
const callers = {
  writer: callerWith(writes),
  people: callerWith([...writes, 'player.read']),
  reader: callerWith([...writes, 'entity.read', 'player.read', 'session.read']),
  all: callerWith(['admin.all']),
}
type Token = keyof typeof callers

const days = { from: '2020', to: '2027' }
const stan = { tag: 'stan', value: 'Zdrowy', ...days }
const lokacja = { tag: 'lokacja', value: 'Most', ...days }
const session = { date: '2026-05-01', title: 'Próba Ognia', narrators: ['Solmyr'], file: 'sesje/2026.md' }
const change = (entity: string, tag: string) => ({
  ...session,
  title: 'Nowa',
  metadata: { changes: [{ entity, tags: [{ tag, value: 'x' }] }] },
})

/** The lore that a refusal quotes, and the tokens that may read it. */
const refusals: ReadonlyArray<{
  readonly what: string
  readonly of: readonly [method: string, path: string, body: object]
  readonly status: number
  readonly quoted: string
  readonly seenBy: ReadonlyArray<Token>
}> = [
  {
    what: 'a row of an NPC with days in common',
    of: ['PATCH', '/entities/Orrin', lokacja],
    status: 422,
    quoted: 'Jaskinia SEKRET',
    seenBy: ['reader', 'all'],
  },
  {
    what: 'a row of a Postać with days in common',
    of: ['PATCH', '/characters/Wit Kłos', stan],
    status: 422,
    quoted: 'Ranny SEKRET',
    seenBy: ['people', 'reader', 'all'],
  },
  {
    what: 'the file that @ref names',
    of: ['PATCH', '/entities/Karczma', lokacja],
    status: 422,
    quoted: 'encje/SEKRET.md',
    seenBy: ['reader', 'all'],
  },
  {
    what: 'the heading of a block that an alias names',
    of: ['PATCH', '/entities/Wędrowiec?type=NPC', { tag: 'typ', value: 'Postać' }],
    status: 409,
    quoted: 'Orrin',
    seenBy: ['reader', 'all'],
  },
  {
    what: 'the type of a block',
    of: ['PATCH', '/entities/Orrin', { tag: 'drzwi', value: 'Karczma' }],
    status: 422,
    quoted: 'NPC does not take',
    seenBy: ['reader', 'all'],
  },
  {
    what: 'the type of a block that a session changes',
    of: ['POST', '/sessions', change('Orrin', 'drzwi')],
    status: 422,
    quoted: 'NPC does not take',
    seenBy: ['reader', 'all'],
  },
  {
    what: 'the file of a session',
    of: ['POST', '/sessions', session],
    status: 409,
    quoted: 'sesje/SEKRET.md',
    seenBy: ['reader', 'all'],
  },
  {
    what: 'the header of a session as it is written',
    of: ['POST', '/sessions', session],
    status: 409,
    quoted: 'OGNIA',
    seenBy: ['reader', 'all'],
  },
]

describe('the refusal of a write by what its caller may read', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ snapshot: world, callers, keepsWrites: false })
  })
  after(() => front.close())

  for (const { what, of, status, quoted, seenBy } of refusals)
    it(`quotes ${what} only to readers of that line`, async () => {
      const [method, path, body] = of
      const init = { method, body: JSON.stringify(body) }
      const seen: Array<string> = []
      for (const token of ['writer', 'people', 'reader', 'all'] as const) {
        const headers = { authorization: `Bearer ${token}` }
        const url = encodeURI(`${path}${path.includes('?') ? '&' : '?'}dryRun=true`)
        const reply = await front.client.ask(url, { ...init, headers })
        equal(reply.status, status, reply.text)
        equal(reply.text.includes('"quotes"'), false, reply.text)
        if (reply.text.includes(quoted)) seen.push(token)
      }
      deepEqual(seen, seenBy)
    })

  it('tells the line of a new session only to readers of its file', async () => {
    const body = JSON.stringify({ ...session, title: 'Nowa', file: 'sesje/SEKRET.md' })
    const lineFor = async (token: string): Promise<unknown> => {
      const init = { method: 'POST', body, headers: { authorization: `Bearer ${token}` } }
      const reply = await front.client.ask('/sessions?dryRun=true', init)
      equal(reply.status, 200, reply.text)
      return jsonField(reply.json, 'line')
    }
    deepEqual([await lineFor('writer'), await lineFor('all')], [null, 5])
  })

  it('names a session by the header that the caller sent', async () => {
    const init = {
      method: 'POST',
      body: JSON.stringify(session),
      headers: { authorization: 'Bearer writer' },
    }
    const { json } = await front.client.ask('/sessions?dryRun=true', init)
    const name = '2026-05-01, Próba Ognia, Solmyr'
    deepEqual(json, {
      error: 'NameTaken',
      detail: `"${name}" is already a session. PATCH /sessions/{header} edits it.`,
      name,
      type: 'Sesja',
    })
  })
})
