import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { bundles } from '#src/domain/identity/roles.js'
import { foldingOf } from '#src/domain/sessions/reading/spellings.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

const narrators = [
  'Radomira',
  'Jana',
  'panu Torkowi',
  'stary kowal',
  'Kaprys',
  'Solmyra',
  'Anny',
  'Kyrre',
  'Rada',
  'Zorki i Lutka',
]

const world = worldOf(
  {
    '.svc/format.json': '{"format": 2}',
    'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n### Kyrre\n- @gameid: 2\n',
    'encje/indeks.md': `### Anna
- @typ: Postać
- @należy_do: Kyrre

### Bera
- @typ: Postać
- @należy_do: Solmyr
- @alias: Wędrowiec
`,
    'Sesje.md': [...narrators, 'Wędrowca']
      .map((name, at) => `### 2026-03-${at + 10}, Wyprawa, ${name}\n\nTekst.\n`)
      .join('\n'),
  },
  { language: { 'lematy.tsv': 'Kaprys\tWolny Wicher\n' } },
)

describe('a form of a name in a narrator field', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({
      snapshot: world,
      callers: {
        player: callerWith(bundles['gracz'] ?? [], 'Solmyr'),
        reader: callerWith([...(bundles['gracz'] ?? []), 'session.read'], 'Solmyr'),
        writer: callerWith(['player.write', 'entity.write', 'entity.read', 'session.read']),
      },
    })
  })
  afterEach(() => front.close())

  const ask = async (token: string, method: string, path: string, body: object) => {
    const reply = await front.client.ask(encodeURI(path), { method, token, body: JSON.stringify(body) })
    return { status: reply.status, json: isFields(reply.json) ? reply.json : {} }
  }
  const persons = (): ReadonlyArray<string> => {
    const { fold } = foldingOf(front.world() ?? world)
    return narrators.map(name => fold(name).key)
  }
  const before = foldingOf(world)
  const tags = { należy_do: 'Solmyr' }

  for (const name of [
    'Radomira Wilcza',
    'Jan Wilczy',
    'Jan',
    'Torek',
    'Kowal',
    'Wolny Wicher',
    'Ann',
    'Zorka',
  ])
    it(`does not pass to a player: ${name}`, async () => {
      for (const [method, path, body] of [
        ['POST', '/characters', { name, tags }],
        ['POST', '/characters', { name: 'Cisza', tags: { ...tags, alias: [name] } }],
        ['PATCH', '/characters/Bera', { tag: 'alias', value: name }],
      ] as const) {
        const { status, json } = await ask('reader', method, path, body)
        deepEqual([status, json['error']], [409, 'NameTaken'], `${method} ${name}`)
        equal((await ask('player', method, path, body)).status, 409)
      }
      deepEqual(
        persons(),
        narrators.map(narrator => before.fold(narrator).key),
      )
    })

  for (const name of ['Solmyrka', 'Rada Wilcza', 'Cisza'])
    it(`is free where it means a Gracz, the council or another name: ${name}`, async () => {
      equal((await ask('player', 'POST', '/characters', { name, tags })).status, 201)
      deepEqual(
        persons(),
        narrators.map(narrator => before.fold(narrator).key),
      )
    })

  it('keeps a player from removing the spelling that it stands for', async () => {
    const gone = { tag: 'alias', value: 'Wędrowiec', remove: true }
    deepEqual((await ask('player', 'PATCH', '/characters/Bera', gone)).json['error'], 'NameTaken')
  })

  it('is reported to who may write every block', async () => {
    const { status, json } = await ask('writer', 'POST', '/entities', { name: 'Jan Wilczy', type: 'NPC' })
    deepEqual(
      [status, json['unresolved']],
      [201, [{ name: 'Jan Wilczy', use: 'narrator', count: 1, blocks: [] }]],
    )
  })
})
