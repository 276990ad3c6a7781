import { deepEqual, equal, ok } from 'node:assert/strict'
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
- @alias: Wędrowiec

### Skarbnik Orrin
- @typ: NPC
- @alias: Żbik
`,
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n### Kilgor\n- @gameid: 2\n',
  'Sesje.md': `### 2026-03-01, Wyprawa, Mistrz

- @Transfer: 3 korony, Płatnika -> Odbiorcy
- @Zmiany:
    - Wędrowca
        - @stan: Ranny
`,
}

describe('a form of a name that is somebody else’s', () => {
  let front: TestFront
  beforeEach(async () => {
    const gracz = bundles['gracz'] ?? []
    front = await testFront({
      snapshot: worldOf(files, { language: { 'lematy.tsv': 'Kapryśnik\tSkarbnik Orrin\nKaprysem\tŻbik\n' } }),
      callers: {
        player: callerWith(gracz, 'Solmyr'),
        blind: callerWith(['player.write.own'], 'Solmyr'),
        writer: callerWith(['player.write', 'entity.write', 'entity.read', 'session.read']),
      },
    })
  })
  afterEach(() => front.close())

  const ask = async (token: string, method: string, path: string, body: object) => {
    const reply = await front.client.ask(encodeURI(path), { method, token, body: JSON.stringify(body) })
    ok(isFields(reply.json), reply.text)
    return { status: reply.status, json: reply.json }
  }
  const tags = { należy_do: 'Solmyr' }
  const refusal = async (method: string, path: string, body: object, token = 'player') => {
    const { status, json } = await ask(token, method, path, body)
    return [status, json['error'], json['type'], json['detail']]
  }

  it('is refused to a player as a heading and as an alias, naming the owner', async () => {
    for (const [form, type, owner] of [
      ['Skarbnika Orrina', 'NPC', 'Skarbnik Orrin'],
      ['Żbika', 'NPC', 'Skarbnik Orrin'],
      ['zbikiem', 'NPC', 'Skarbnik Orrin'],
      ['Kilgora', 'Gracz', 'Kilgor'],
      ['Pan Skarbnik Orrin', 'NPC', 'Skarbnik Orrin'],
      ['panu Żbikowi', 'NPC', 'Skarbnik Orrin'],
      ['Stary król Orrin', 'NPC', 'Skarbnik Orrin'],
      ['kapryśnik', 'NPC', 'Skarbnik Orrin'],
      ['Kaprys', 'NPC', 'Skarbnik Orrin'],
    ] as const) {
      const detail = `${type === 'NPC' ? 'An NPC' : 'A Gracz'} ("${owner}") shares an inflected form with the name "${form}". Choose another name.`
      for (const [method, path, body] of [
        ['POST', '/characters', { name: form, tags }],
        ['POST', '/characters', { name: 'Wolna', tags: { ...tags, alias: [form] } }],
        ['PATCH', '/characters/Xeron', { tag: 'alias', value: form }],
      ] as const)
        deepEqual(await refusal(method, path, body), [409, 'NameTaken', type, detail])
    }
    equal(textsOf(front.world() ?? worldOf(files))['encje/indeks.md'], files['encje/indeks.md'])
  })

  it('is refused without the owner to who may not read blocks', async () => {
    deepEqual(await refusal('POST', '/characters', { name: 'Żbika', tags }, 'blind'), [
      409,
      'NameTaken',
      '',
      'Something in the lore has the name "Żbika". Choose another name.',
    ])
  })

  it('is left to a Postać whose own it is', async () => {
    const { status, json } = await ask('player', 'PATCH', '/characters/Xeron', {
      tag: 'alias',
      value: 'Xerona',
    })
    deepEqual([status, json['changed']], [200, true])
  })

  it('keeps a player from a name of which a session already uses a form', async () => {
    for (const name of ['Odbiorca', 'Stary Płatnik'])
      equal((await refusal('POST', '/characters', { name, tags }))[0], 409, name)
    equal((await refusal('POST', '/characters', { name: 'Obierca', tags }))[0], 201)
  })

  it('is refused to a player where the new name would take it by being surer', async () => {
    for (const name of ['Orrino'])
      deepEqual(
        (await refusal('POST', '/characters', { name, tags })).slice(0, 3),
        [409, 'NameTaken', 'NPC'],
        name,
      )
    equal((await refusal('POST', '/characters', { name: 'Orranna', tags }))[0], 201)
  })

  it('keeps a player from removing the spelling that it stands for', async () => {
    const gone = { tag: 'alias', value: 'Wędrowiec', remove: true }
    equal((await refusal('PATCH', '/characters/Xeron', gone))[0], 409)
  })

  for (const value of ['Żbika', 'Pana Żbika', 'kapryśnik'])
    it(`is given by who may write every block, who sees its owner: ${value}`, async () => {
      const { status, json } = await ask('writer', 'PATCH', '/entities/Xeron', { tag: 'alias', value })
      deepEqual(
        [status, json['unresolved']],
        [200, [{ name: value, use: 'form', count: 1, blocks: [{ name: 'Skarbnik Orrin', type: 'NPC' }] }]],
      )
    })
})
