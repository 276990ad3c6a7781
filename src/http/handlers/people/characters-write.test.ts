import { deepEqual, equal, ok } from 'node:assert/strict'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const index = `### Xeron
- @typ: Postać
- @należy_do: Solmyr
- @stan: Zdrowy. (2024-01:)

### Kilgor Młodszy
- @typ: Postać
- @należy_do: Kilgor
- @alias: Młody
`
const files = {
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md': index,
  'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n- @alias: Sol\n### Kilgor\n- @gameid: 2\n',
}

describe('writes of characters', () => {
  let front: TestFront
  beforeEach(async () => {
    const callers = {
      writer: callerWith(['player.write']),
      solmyr: callerWith(['player.write.own'], 'Solmyr'),
      nobody: callerWith(['player.write.own']),
    }
    front = await testFront({ snapshot: worldOf(files), callers })
  })
  afterEach(() => front.close())

  const text = (): string => textsOf(front.world() ?? worldOf(files))['encje/indeks.md'] ?? ''
  const ask = (token: string, method: string, path: string, body?: object) =>
    front.client.ask(encodeURI(path), {
      method,
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  // A player's change begins on the day of the request, a narrator's at its month (ADR 1026).
  for (const [token, last, first] of [
    ['writer', '2026-05', '2026-06'],
    ['solmyr', '2026-06-14', '2026-06-15'],
  ] as const)
    it(`${token} makes, changes and deletes a Postać`, async () => {
      const made = await ask(token, 'POST', '/characters', { name: 'Nowa', tags: { należy_do: 'Sol' } })
      deepEqual([made.status, made.json], [201, { created: 'Nowa', type: 'Postać' }])
      const changed = await ask(token, 'PATCH', '/characters/Xeron', { tag: 'stan', value: 'Ranny.' })
      deepEqual([changed.status, changed.json], [200, { updated: 'Xeron', tag: 'stan', changed: true }])
      const gone = await ask(token, 'DELETE', '/characters/Nowa')
      deepEqual([gone.status, gone.json], [200, { deleted: 'Nowa', status: 'Usunięty' }])
      const state = `- @stan: Zdrowy. (2024-01:${last})\n- @stan: Ranny. (${first}:)\n`
      const block = `\n### Nowa\n- @typ: Postać\n- @należy_do: Sol\n- @status: Usunięty (${first}:)\n`
      equal(text(), `${index.replace('- @stan: Zdrowy. (2024-01:)\n', state)}${block}`)
    })

  it('previews each', async () => {
    const body = { name: 'Nowa', tags: { '@należy_do': 'Solmyr' } }
    for (const [method, path, sent, says] of [
      ['POST', '/characters', body, 'wouldCreate'],
      ['PATCH', '/characters/Xeron', { tag: 'stan', value: 'Ranny.' }, 'wouldUpdate'],
      ['DELETE', '/characters/Xeron', undefined, 'wouldDelete'],
    ] as const) {
      const reply = await ask('solmyr', method, `${path}?dryRun=true`, sent)
      equal(reply.status, 200)
      ok(reply.text.includes(says) && reply.text.includes('"diff"'), reply.text)
    }
    equal(text(), index)
  })

  const foreign: ReadonlyArray<readonly [string, string, string, object | undefined]> = [
    ['another’s by name', 'PATCH', '/characters/Kilgor Młodszy', { tag: 'stan', value: 'x' }],
    ['another’s by alias', 'PATCH', '/characters/Młody', { tag: 'stan', value: 'x' }],
    ['another’s by case', 'PATCH', '/characters/KILGOR MŁODSZY', { tag: 'stan', value: 'x' }],
    ['another’s in NFD', 'DELETE', `/characters/${'Kilgor Młodszy'.normalize('NFD')}`, undefined],
    ['an inflected form', 'PATCH', '/characters/Kilgora Młodszego', { tag: 'stan', value: 'x' }],
    ['nobody at all', 'DELETE', '/characters/Nikt', undefined],
    ['another’s as a dry run', 'DELETE', '/characters/Młody?dryRun=true', undefined],
    ['a Postać of another', 'POST', '/characters', { name: 'Nowa', tags: { należy_do: 'Kilgor' } }],
    ['two owners', 'POST', '/characters', { name: 'N', tags: { należy_do: ['Solmyr', 'Kilgor'] } }],
    [
      'an owner by a second spelling of the tag',
      'POST',
      '/characters',
      { name: 'Nowa', tags: { należy_do: 'Solmyr', '@NALEŻY_DO': 'Kilgor' } },
    ],
    [
      'points of its own',
      'POST',
      '/characters',
      { name: 'N', tags: { należy_do: 'Sol', pu_startowe: '99' } },
    ],
    ['points of its own later', 'PATCH', '/characters/Xeron', { tag: '@pu_startowe', value: '99' }],
    ['points from a file', 'PATCH', '/characters/Xeron', { tag: '@ref', value: 'Postaci/Gracze/Xeron.md' }],
    [
      'points from a file at once',
      'POST',
      '/characters',
      { name: 'N', tags: { należy_do: 'Sol', ref: 'Dokumenty/Punkty.md' } },
    ],
    ['giving a Postać away', 'PATCH', '/characters/Xeron', { tag: 'należy_do', value: 'Kilgor' }],
    ['letting a Postać go', 'PATCH', '/characters/Xeron', { tag: 'należy_do', value: 'Sol', remove: true }],
  ]
  for (const [what, method, path, body] of foreign)
    it(`is 403 for an own-only caller: ${what}`, async () => {
      for (const token of ['solmyr', 'nobody']) {
        const reply = await ask(token, method, path, body)
        deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [403, 'Forbidden'], reply.text)
        equal(Reflect.get(Object(reply.json), 'required'), 'player.write')
      }
      equal(text(), index)
    })

  const create = (tags: object) => ({ name: 'Nowa', tags })
  const refused: ReadonlyArray<readonly [string, string, string, object | undefined, number, string]> = [
    ['no owner', 'POST', '/characters', { name: 'Nowa' }, 400, 'BodyInvalid'],
    ['an owner of nowhere', 'POST', '/characters', create({ należy_do: 'Nikt' }), 422, 'ValueRefused'],
    ['an owner who is a Postać', 'POST', '/characters', create({ należy_do: 'Xeron' }), 422, 'ValueRefused'],
    ['another type', 'POST', '/characters', create({ należy_do: 'Sol', typ: 'Gracz' }), 422, 'ValueRefused'],
    [
      'a sum of points',
      'POST',
      '/characters',
      create({ należy_do: 'Sol', pu_suma: '1' }),
      422,
      'ValueRefused',
    ],
    ['a role', 'POST', '/characters', create({ należy_do: 'Sol', rola: 'Radny' }), 422, 'TagUnknown'],
    ['a name taken', 'POST', '/characters', { name: 'xeron', tags: { należy_do: 'Sol' } }, 409, 'NameTaken'],
    ['a name taken', 'PATCH', '/characters/Xeron', { tag: 'nick', value: 'młody' }, 422, 'ValueRefused'],
    ['no value', 'PATCH', '/characters/Xeron', { tag: 'stan' }, 400, 'BodyInvalid'],
    ['a sum of points', 'PATCH', '/characters/Xeron', { tag: 'pu_suma', value: '1' }, 422, 'ValueRefused'],
    [
      'a sum of points gone',
      'PATCH',
      '/characters/Xeron',
      { tag: 'pu_suma', remove: true },
      422,
      'ValueRefused',
    ],
    ['another type', 'PATCH', '/characters/Xeron', { tag: '@Typ', value: 'NPC' }, 422, 'ValueRefused'],
    ['a role', 'PATCH', '/characters/Xeron', { tag: 'rola', value: 'Radny' }, 422, 'TagUnknown'],
    ['a player', 'PATCH', '/characters/Solmyr', { tag: 'stan', value: 'x' }, 404, 'CharacterNotFound'],
    ['nobody', 'DELETE', '/characters/Nikt', undefined, 404, 'CharacterNotFound'],
  ]
  for (const [what, method, path, body, status, error] of refused)
    it(`${method} refuses ${what}: ${status} ${error}`, async () => {
      const reply = await ask('writer', method, path, body)
      deepEqual([reply.status, Reflect.get(Object(reply.json), 'error')], [status, error], reply.text)
      equal(text(), index)
    })
})
