import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterEach, before, describe, it } from 'mocha'
import { ownTags } from '#protocol/lore/people.js'
import type { Route } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { bundles } from '#src/domain/identity/roles.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const files = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n### Kilgor\n- @gameid: 2\n- @alias: Filip\n',
  'encje/indeks.md': `### Xeron
- @typ: Postać
- @należy_do: Solmyr
- @alias: Хeron

### Iskra
- @typ: Postać
- @należy_do: Kilgor
- @alias: Cora

### Kupiec Bik
- @typ: NPC

### Ｎowy Dom
- @typ: Lokacja

### Świat
- @typ: Mapa

### Zоrza
- @typ: Grupa
`,
}

/** Names that look like a name of another block, and the type of that block. */
const twins: ReadonlyArray<readonly [what: string, name: string, type: string]> = [
  ['Cyrillic letters for an alias', 'Сога', 'Postać'],
  ['Greek capitals for a computed alias', 'ΒΙΚ', 'NPC'],
  ['Cyrillic letters for an inflected form', 'Согу', 'Postać'],
  ['fullwidth letters', 'Ｉｓｋｒａ', 'Postać'],
  ['one fullwidth letter', 'Ｉskra', 'Postać'],
  ['mathematical letters', '𝐈𝐬𝐤𝐫𝐚', 'Postać'],
  ['mathematical letters for an inflected form', '𝐈𝐬𝐤𝐫𝐲', 'Postać'],
  ['a dotless i', 'ıskra', 'Postać'],
  ['a capital with a dot', 'İskra', 'Postać'],
  ['a second dot', 'i\u0307skra', 'Postać'],
  ['a ligature, for a name of a Gracz', 'ﬁlip', 'Gracz'],
  ['plain letters for fullwidth ones', 'Nowy Dom', 'Lokacja'],
  ['plain letters for a word of two scripts', 'Zorza', 'Grupa'],
]
/** Names with a word of two scripts; the first two look like names of others. */
const mixed: ReadonlyArray<readonly [name: string, word: string, scripts: string]> = [
  ['Iskrа', 'Iskrа', 'Latin, Cyrillic'],
  ['Κupiec Bik', 'Κupiec', 'Greek, Latin'],
  ['Zupełnie Nоwa', 'Nоwa', 'Latin, Cyrillic'],
]

type Send = readonly [method: string, path: string, body: object]
const tags = { należy_do: 'Solmyr' }
const ownNameTags = ownTags.filter(tag => nameTags.has(tag))

/** How each row that gives a name sends one, for callers who hold its capability as `.own`. */
const sends: Readonly<Record<string, (name: string) => ReadonlyArray<Send>>> = {
  'characters.create': name => [
    ['POST', '/characters', { name, tags }],
    ...ownNameTags.map(
      tag => ['POST', '/characters', { name: 'Wolna', tags: { ...tags, [tag]: ['Inna', name] } }] as const,
    ),
  ],
  'characters.update': name =>
    ownNameTags.map(tag => ['PATCH', '/characters/Xeron', { tag, value: name }] as const),
}

/** How every row sends one. */
const allSends: typeof sends = {
  ...sends,
  'entities.create': name => [
    ['POST', '/entities', { name, type: 'Grupa' }],
    ...[...nameTags, 'generyczne_nazwy'].map(
      tag => ['POST', '/entities', { name: 'Wolny', type: 'NPC', tags: { [tag]: name } }] as const,
    ),
  ],
  'entities.update': name =>
    [...nameTags, 'generyczne_nazwy'].map(
      tag => ['PATCH', '/entities/Kupiec Bik', { tag, value: name }] as const,
    ),
  'entities.rename': name => [['POST', '/entities/Kupiec Bik/name', { name }]],
  'locations.create': name => [['POST', '/locations', { name }]],
  'locations.update': name => [['PATCH', '/locations/Ｎowy Dom', { tag: 'alias', value: name }]],
  'maps.create': name => [['POST', '/maps', { name }]],
  'maps.update': name => [['PATCH', '/maps/Świat', { tag: 'alias', value: name }]],
  'normalization.aliases.accept': name => [
    ['POST', '/normalization/aliases/accept', { surface: name, name: 'Kupiec Bik' }],
  ],
}

const rowsWhere = (isWanted: (row: Route) => boolean): ReadonlyArray<string> =>
  Object.entries<Route>(routes).flatMap(([id, row]) =>
    row.refusals.includes('NameTaken') && isWanted(row) ? [id] : [],
  )

describe('names that look like those of others', () => {
  let front: TestFront
  const world = worldOf(files)
  before(async () => {
    const gracz = bundles['gracz'] ?? []
    front = await testFront({
      snapshot: world,
      callers: {
        player: callerWith(gracz, 'Solmyr'),
        blind: callerWith(['player.write.own'], 'Solmyr'),
        narrator: callerWith([
          'player.write',
          'entity.write',
          'entity.read',
          'session.read',
          'session.write',
        ]),
      },
    })
  })
  afterEach(() => front.serve(world))
  after(() => front.close())

  const ask = async (token: string, [method, path, body]: Send) => {
    const reply = await front.client.ask(encodeURI(path), { method, token, body: JSON.stringify(body) })
    ok(isFields(reply.json), reply.text)
    return { status: reply.status, json: reply.json, text: reply.text }
  }
  const isUnwritten = (): void => deepEqual(textsOf(front.world() ?? world), files)

  it('are sent here by every row that gives a name', () => {
    deepEqual(
      rowsWhere(row => row.own),
      Object.keys(sends),
    )
    const sessions = rowsWhere(({ path }) => path.includes('session'))
    deepEqual(
      rowsWhere(() => true)
        .filter(id => !sessions.includes(id))
        .sort(),
      Object.keys(allSends).sort(),
    )
    deepEqual(ownNameTags, ['alias'])
  })

  for (const [what, name, type] of twins)
    for (const [row, sendsOf] of Object.entries(sends))
      it(`${row} | ${what} | 409 to a player, who may read the block`, async () => {
        for (const send of sendsOf(name)) {
          const { status, json, text } = await ask('player', send)
          deepEqual([status, json['error'], json['name'], json['type']], [409, 'NameTaken', name, type], text)
          const blind = await ask('blind', send)
          deepEqual([blind.status, blind.json['error'], blind.json['type']], [409, 'NameTaken', ''], text)
        }
        isUnwritten()
      })

  for (const [name, word, scripts] of mixed)
    for (const [row, sendsOf] of Object.entries(allSends))
      it(`${row} | ${name} | 422 with the word`, async () => {
        for (const send of sendsOf(name))
          for (const token of row in sends ? ['player', 'blind', 'narrator'] : ['narrator']) {
            const { status, json, text } = await ask(token, send)
            deepEqual([status, json['error']], [422, 'ValueRefused'], text)
            const field = String(json['field'])
            match(field, /^(?:name|@alias|@nick|@nazwa_svc|@generyczne_nazwy)$/u)
            equal(
              json['detail'],
              `The value of ${field} mixes letters of several scripts (${scripts}) in the word "${word}"; ` +
                'write it in one script.',
            )
          }
        isUnwritten()
      })

  for (const [who, entity] of [
    ['a block', 'Kupiec Bik'],
    ['a block that is not there', 'Nikt'],
  ] as const)
    for (const tag of ['alias', 'generyczne_nazwy'])
      it(`sessions.create | @${tag} of ${who} in Zmiany | 422 with the word`, async () => {
        const changes = [{ entity, tags: [{ tag, value: 'Iskrа (2026-06:)' }] }]
        const session = { file: 'Sesje.md', date: '2026-06-10', title: 'Brama', narrators: ['Solmyr'] }
        const body = { ...session, metadata: { changes } }
        const { status, json, text } = await ask('narrator', ['POST', '/sessions', body])
        deepEqual([status, json['field']], [422, 'metadata.changes[0].tags[0].value'], text)
        match(String(json['detail']), /Latin, Cyrillic\) in the word "Iskrа"/u)
        isUnwritten()
      })

  it('are written for other callers, with the block in `unresolved` and as a finding', async () => {
    const kinds = async (): Promise<number> =>
      (await front.client.ask('/entities/integrity')).text.split('"NameLooksAlike"').length - 1
    const before = await kinds()
    const other = { name: 'Iskra', type: 'Postać' }
    for (const send of [
      ['POST', '/entities', { name: 'ıskra', type: 'NPC' }],
      ['POST', '/characters', { name: 'Ｉskra', tags }],
      ['POST', '/locations', { name: 'İskra' }],
      ['PATCH', '/entities/Kupiec Bik', { tag: 'alias', value: '𝐈𝐬𝐤𝐫𝐚' }],
      ['POST', '/entities/Świat/name', { name: 'Ｉｓkra' }],
    ] as const) {
      front.serve(world)
      const { status, json, text } = await ask('narrator', send)
      ok(status === 200 || status === 201, text)
      const uses = Array.isArray(json['unresolved']) ? json['unresolved'].filter(isFields) : []
      deepEqual(
        uses.filter(one => one['use'] === 'lookalike').map(one => [one['count'], one['blocks']]),
        [[1, [other]]],
        text,
      )
      ok((await kinds()) > before, `${send[1]} leaves a finding`)
    }
  })

  it('are refused to a player once a narrator has given one, and free again when it is gone', async () => {
    const wanted = ['POST', '/characters', { name: 'Ｗit', tags }] as const
    equal(
      (await ask('narrator', ['PATCH', '/entities/Kupiec Bik', { tag: 'alias', value: 'Wit' }])).status,
      200,
    )
    deepEqual((await ask('player', wanted)).json['error'], 'NameTaken')
    equal((await ask('narrator', ['POST', '/entities/Kupiec Bik/name', { name: 'Ｗit' }])).status, 200)
    deepEqual(
      (await ask('player', ['POST', '/characters', { name: 'WIT', tags }])).json['error'],
      'NameTaken',
    )
    front.serve(world)
    equal((await ask('player', wanted)).status, 201)
  })

  it('do not keep a Postać from the names that it has, nor from one that looks like them', async () => {
    for (const [token, patch] of [
      ['player', { value: 'Хeron' }],
      ['player', { value: 'Ｘeron' }],
      ['player', { value: 'XERON' }],
      ['narrator', { value: 'Хeron', to: '2026-05' }],
      ['player', { value: 'Хeron', remove: true }],
    ] as const) {
      const { status, text } = await ask(token, ['PATCH', '/characters/Xeron', { tag: 'alias', ...patch }])
      equal(status, 200, text)
    }
  })
})
