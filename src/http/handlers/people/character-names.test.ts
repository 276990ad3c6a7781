import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { bundles } from '#src/domain/identity/roles.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const files = {
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md': `### Xeron
- @typ: Postać
- @należy_do: Solmyr

### Skarbiec
- @typ: Grupa
- @alias: Kasa Rady

### Miecz
- @typ: Przedmiot
- @należy_do: Zaginiony Pan
`,
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n### Kilgor\n- @gameid: 2\n- @alias: Kil\n',
  'Sesje.md': `### 2026-03-01, Wyprawa, Stary Mistrz i Drugi Mistrz

- @PU:
    - Punktowany: 1
- @Zmiany:
    - Zmieniany
        - @należy_do: Przyszły Pan
- @Transfer: 3 korony, Płatnik -> Odbiorca
- @Intel:
    - Słuchacz, Drugi Słuchacz: Wieść.
    - Grupa/Cech: Wieść.
`,
  '.svc/staged/szkic.md': '### 2026-06-10, Zasadzka, Mistrz Szkicu\n',
}

/** Names in use, and the owner that a caller with read access to entities and not to sessions sees. */
const used: ReadonlyArray<readonly [name: string, type: string]> = [
  ['Skarbiec', 'Grupa'],
  ['SKARBIEC', 'Grupa'],
  ['Kasa Rady', 'Grupa'],
  ['Kilgor', 'Gracz'],
  ['Kil', 'Gracz'],
  ['Zaginiony Pan', 'Przedmiot'],
  ['Stary Mistrz', ''],
  ['Drugi Mistrz', ''],
  ['Mistrz Szkicu', ''],
  ['Punktowany', ''],
  ['Zmieniany', ''],
  ['Przyszły Pan', ''],
  ['Płatnik', ''],
  ['Odbiorca', ''],
  ['Słuchacz', ''],
  ['Drugi Słuchacz', ''],
  ['Cech', ''],
]

describe('names that are somebody else’s', () => {
  let front: TestFront
  beforeEach(async () => {
    const gracz = bundles['gracz'] ?? []
    front = await testFront({
      snapshot: worldOf(files),
      callers: {
        player: callerWith(gracz, 'Solmyr'),
        blind: callerWith(['player.write.own'], 'Solmyr'),
        reader: callerWith([...gracz, 'session.read'], 'Solmyr'),
        writer: callerWith(['player.write', 'entity.write', 'entity.read']),
      },
    })
  })
  afterEach(() => front.close())

  const text = (): string => textsOf(front.world() ?? worldOf(files))['encje/indeks.md'] ?? ''
  const ask = async (token: string, method: string, path: string, body: object) => {
    const reply = await front.client.ask(encodeURI(path), { method, token, body: JSON.stringify(body) })
    ok(isFields(reply.json), reply.text)
    return { status: reply.status, json: reply.json }
  }
  const tags = { należy_do: 'Solmyr' }

  it('are refused to a player who creates a Postać, or gives one an alias', async () => {
    for (const [name, type] of used)
      for (const [method, path, body] of [
        ['POST', '/characters', { name, tags }],
        ['POST', '/characters', { name: 'Wolna', tags: { ...tags, alias: [name] } }],
        ['PATCH', '/characters/Xeron', { tag: '@Alias', value: name }],
        ['PATCH', '/characters/Xeron', { tag: 'alias', value: ` ${name} ` }],
      ] as const) {
        const { status, json } = await ask('player', method, path, body)
        deepEqual([status, json['error'], json['type']], [409, 'NameTaken', type], `${path} ${name}`)
      }
    equal(text(), files['encje/indeks.md'])
  })

  it('are refused without a word of what the caller may not read', async () => {
    const detailOf = async (token: string, name: string) =>
      String((await ask(token, 'POST', '/characters', { name, tags })).json['detail'])
    equal(
      await detailOf('blind', 'Kasa Rady'),
      'Something in the lore has the name "Kasa Rady". Choose another name.',
    )
    equal(
      await detailOf('player', 'Płatnik'),
      'Something in the lore has the name "Płatnik". Choose another name.',
    )
    equal(await detailOf('reader', 'Płatnik'), 'A session uses the name "Płatnik". Choose another name.')
    match(await detailOf('player', 'Kasa Rady'), /^Grupa \("Skarbiec"\)|Skarbiec/u)
  })

  it('leave free names free, and a Postać the names that it has', async () => {
    equal((await ask('player', 'POST', '/characters', { name: 'Wolna', tags })).status, 201)
    const alias = { tag: 'alias', value: 'Xer' }
    deepEqual((await ask('player', 'PATCH', '/characters/Xeron', alias)).json['changed'], true)
    const again = await ask('player', 'PATCH', '/characters/Xeron', alias)
    deepEqual([again.status, again.json['changed']], [200, false])
    equal((await ask('player', 'PATCH', '/characters/Xeron', { ...alias, remove: true })).status, 200)
  })

  it('are given by who may write every Postać, who is told what else bears or uses them', async () => {
    const made = await ask('writer', 'POST', '/characters', { name: 'Skarbiec', tags })
    deepEqual(
      [made.status, made.json['unresolved']],
      [201, [{ name: 'Skarbiec', use: 'block', count: 1, blocks: [{ name: 'Skarbiec', type: 'Grupa' }] }]],
    )
    const npc = await ask('writer', 'POST', '/entities', { name: 'Zaginiony Pan', type: 'NPC' })
    deepEqual(npc.json['unresolved'], [
      { name: 'Zaginiony Pan', use: 'owner', count: 1, blocks: [{ name: 'Miecz', type: 'Przedmiot' }] },
    ])
    const alias = await ask('writer', 'PATCH', '/entities/Xeron', { tag: 'alias', value: 'Płatnik' })
    deepEqual(alias.json['unresolved'], [{ name: 'Płatnik', use: 'effect', count: 1, blocks: [] }])
    const renamed = await ask('writer', 'POST', '/entities/Miecz/name', { name: 'Stary Mistrz' })
    deepEqual(renamed.json['unresolved'], [{ name: 'Stary Mistrz', use: 'narrator', count: 1, blocks: [] }])
    const free = await ask('writer', 'POST', '/characters', { name: 'Wolna', tags })
    deepEqual(free.json, { created: 'Wolna', type: 'Postać' })
  })

  it('are not taken by a rename, be they the spelling of another type', async () => {
    const { status, json } = await ask('writer', 'POST', '/entities/Miecz/name', { name: 'Kasa Rady' })
    deepEqual([status, json['error'], json['type']], [409, 'NameTaken', 'Grupa'])
  })
})
