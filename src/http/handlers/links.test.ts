import { deepEqual, equal, match } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { bindingsPath } from '#src/identity/links/bindings.js'
import { bundles } from '#src/identity/rights/bundles.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/written.js'

const since = '2026-01-01T00:00:00.000Z'
const binding = (chatId: string, gameId: string) => ({ chatId, gameId, since, by: 'x' })

const base = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': `## Gracz
### Brzoza
- @gameid: 1
### Żaneta
- @gameid: 2
- @rola: Narrator
### Karol
- @gameid: 3
- @rola: Radny
### Wit
- @gameid: 4
### Sobowtór
- @gameid: 4
### Dwojga Ids
- @gameid: 5
- @gameid: 6
### Nadana
- @gameid: 7
`,
  '.svc/grants.json': JSON.stringify({
    grants: [{ gameId: '7', capability: 'capability.admin', since, by: 'x' }],
  }),
  [bindingsPath]: JSON.stringify({
    bindings: [binding('111', '1'), binding('333', '3'), binding('777', '7')],
  }),
}

const radny = callerWith(bundles['radny'] ?? [], 'Karol')
const narrowest = callerWith(['identity.link'])

describe('POST /auth/link', () => {
  let front: TestFront | null = null
  const serve = async (files: Readonly<Record<string, string>> = base): Promise<TestFront> => {
    front = await testFront({ snapshot: worldOf(files), callers: { radny, narrowest } })
    return front
  }
  afterEach(async () => {
    await front?.close()
    front = null
  })
  const link = (served: TestFront, body: object, token?: string, query = '') =>
    served.client.ask(`/auth/link${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    })
  const pairs = (served: TestFront) =>
    [...(served.world()?.bindings.byChat ?? [])].map(([chat, { gameId }]) => `${chat}=${gameId}`)
  const fileOf = (served: TestFront) => textsOf(served.world() ?? worldOf(base))[bindingsPath]

  it('binds, and says whom', async () => {
    const served = await serve()
    const reply = await link(served, { chatId: '222', gameId: '2' }, 'radny')
    deepEqual(reply.json, {
      ...{ status: 'linked', chatId: '222', gameId: '2', gracz: 'Żaneta', displaces: null, replaces: null },
    })
    const made = served.world()?.bindings.byChat.get('222')
    deepEqual(made, { ...binding('222', '2'), since: '2026-06-15T12:00:00.000Z', by: 'Karol' })
  })

  it('names what it takes away', async () => {
    const served = await serve()
    const reply = await link(served, { chatId: '111', gameId: '3' }, 'radny')
    deepEqual(
      [Reflect.get(Object(reply.json), 'displaces'), Reflect.get(Object(reply.json), 'replaces')],
      ['333', '1'],
    )
    deepEqual(pairs(served), ['111=3', '777=7'])
  })

  it('writes nothing on a dry run, and nothing where all is so already', async () => {
    const served = await serve()
    const dry = await link(served, { chatId: '222', gameId: '2' }, 'radny', '?dryRun=true')
    match(dry.text, /"wouldLink":"2","status":"linked".*"diff":"--- .*\+\{\\"chatId\\":\\"222\\"/s)
    const again = await link(served, { chatId: '111', gameId: '1' }, 'radny')
    match(again.text, /"status":"already_linked"/)
    equal(fileOf(served), base[bindingsPath])
  })

  const refusals: ReadonlyArray<readonly [string, object, string, number, RegExp]> = [
    ['an id nobody has', { chatId: '9', gameId: '99' }, 'radny', 404, /"no_gracz_for_game_id"/],
    ['an id of two', { chatId: '9', gameId: '4' }, 'radny', 409, /ambiguous.*"matches":\["Wit","Sobowtór"\]/],
    ['one of two ids', { chatId: '9', gameId: '5' }, 'radny', 409, /ambiguous.*"matches":\["Dwojga Ids"\]/],
    ['an id with a grant', { chatId: '9', gameId: '7' }, 'radny', 403, /"required":"capability.admin"/],
    ['one of a stronger id', { chatId: '777', gameId: '1' }, 'radny', 403, /"required":"capability.admin"/],
    [
      'a role above',
      { chatId: '9', gameId: '2' },
      'narrowest',
      403,
      /"Forbidden".*"required":"entity.write"/,
    ],
    ['no account', { gameId: '1' }, 'radny', 400, /"path":"\$\.chatId"/],
    ['an account of blanks', { chatId: 'a b', gameId: '1' }, 'radny', 400, /"path":"\$\.chatId"/],
    ['an account as a number', { chatId: 9, gameId: '1' }, 'radny', 400, /"path":"\$\.chatId"/],
    ['an id of lines', { chatId: '9', gameId: '1\n2' }, 'radny', 400, /"path":"\$\.gameId"/],
  ]
  for (const [what, body, token, status, said] of refusals)
    for (const query of ['', '?dryRun=true'])
      it(`refuses ${what}: ${status} ${query}`, async () => {
        const served = await serve()
        const reply = await link(served, body, token, query)
        equal(reply.status, status, reply.text)
        match(reply.text, said)
        equal(fileOf(served), base[bindingsPath])
      })

  it('lets whoever holds identity.link alone bind a Gracz without more', async () => {
    equal((await link(await serve(), { chatId: '9', gameId: '1' }, 'narrowest')).status, 200)
  })

  it('never replaces a file that cannot be read', async () => {
    const served = await serve({ ...base, [bindingsPath]: '{"bindings": [{' })
    const reply = await link(served, { chatId: '9', gameId: '1' })
    equal(reply.status, 409)
    match(reply.text, /"StoreUnreadable".*"file":"\.svc\/bindings\.json"/)
    equal(fileOf(served), '{"bindings": [{')
  })
})
