import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import { bundles } from '#src/domain/identity/roles.js'
import { closeSessions, purseOf } from '#test/support/closed-world.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

const index = `### Ork
- @typ: NPC

### Wszebora Krasna
- @typ: NPC

### Zofia Dębska
- @typ: NPC

### Anna
- @typ: Postać
- @należy_do: Solmyr
- @alias: Zofia Wilcza

### Korony Orka
- @typ: Przedmiot
- @należy_do: Ork
- @generyczne_nazwy: Korony Elanckie
- @ilość: 10

### Korony Anny
- @typ: Przedmiot
- @należy_do: Anna
- @generyczne_nazwy: Korony Elanckie
- @ilość: 100
`

const texts = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
  'encje/indeks.md': index,
  'Sesje.md': `### 2025-03-01, Zapłata, Solmyr

- @Transfer: 5 koron, Anna -> Orka
- @Zmiany:
    - Orkiem
        - @grupa: Bractwo
    - Wszebora
        - @stan: Chora
    - Wszebory
        - @grupa: Bractwo
    - Zofii
        - @stan: Ranna
    - Bystrego
        - @stan: Ranny
`,
}

const files = closeSessions(texts, false)

describe('effects of a closed session that rest on a form or on a single word', () => {
  let front: TestFront
  const language = { 'odmiany.tsv': 'Bystrego\tSzybki\n' }
  const world = worldOf(files, { language })
  beforeEach(async () => {
    front = await testFront({
      snapshot: world,
      callers: {
        player: callerWith([...(bundles['gracz'] ?? []), 'session.read'], 'Solmyr'),
        writer: callerWith(['player.write', 'entity.write', 'entity.read', 'session.read']),
      },
    })
  })
  afterEach(() => front.close())

  const ask = async (token: string, method: string, path: string, body: object) => {
    const reply = await front.client.ask(encodeURI(path), { method, token, body: JSON.stringify(body) })
    return { status: reply.status, json: isFields(reply.json) ? reply.json : {} }
  }
  const changed = (): ReadonlyArray<unknown> => {
    const now = front.world() ?? world
    const rowsOf = (name: string) =>
      now.entities.byHeading.get(nameKey(name))?.flatMap(({ rows }) => rows.filter(one => one.tag !== 'typ'))
    return [purseOf(now, 'Korony Orka'), rowsOf('Ork')?.length, rowsOf('Wszebora Krasna')?.length]
  }
  const tags = { należy_do: 'Solmyr' }

  it('are there before', () => {
    deepEqual(changed(), [15, 1, 2])
  })

  for (const [name, why] of [
    ['Orek', 'has two of its forms in common with Ork'],
    ['Wszebora Wilcza', 'has a word that Wszebora Krasna alone has'],
    ['Zofia', 'has a form that means nobody'],
    ['Szybki', 'has a form of odmiany.tsv'],
  ])
    it(`are not undone by a player: ${name} ${why}`, async () => {
      for (const [method, path, body] of [
        ['POST', '/characters', { name, tags }],
        ['POST', '/characters', { name: 'Wolna', tags: { ...tags, alias: [name] } }],
        ['PATCH', '/characters/Anna', { tag: 'alias', value: name }],
      ] as const) {
        const { status, json } = await ask('player', method, path, body)
        deepEqual([status, json['error']], [409, 'NameTaken'], `${method} ${name}`)
      }
      deepEqual(changed(), [15, 1, 2])
    })

  for (const name of ['Orek', 'Wszebora Wilcza', 'Szybki'])
    it(`are reported to who may write every block: ${name}`, async () => {
      for (const [method, path, body] of [
        ['POST', '/entities?dryRun=true', { name, type: 'NPC' }],
        ['PATCH', '/entities/Anna?dryRun=true', { tag: 'alias', value: name }],
      ] as const) {
        const { status, json } = await ask('writer', method, path, body)
        const told = Array.isArray(json['unresolved']) ? json['unresolved'].filter(isFields) : []
        equal(status < 300, true)
        deepEqual(
          told.filter(one => one['use'] !== 'form').map(one => [one['use'], one['count']]),
          [['effect', 1]],
          method,
        )
      }
    })

  it('are not changed by a player who takes a name away: another block would have a word alone', async () => {
    const { status, json } = await ask('player', 'PATCH', '/characters/Anna', {
      tag: 'alias',
      value: 'Zofia Wilcza',
      remove: true,
    })
    deepEqual([status, json['error']], [409, 'NameTaken'])
  })
})
