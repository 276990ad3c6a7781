import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { identitiesOf } from '#src/domain/identity/callers.js'
import { grantsPath } from '#src/domain/identity/grants.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const files = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 100\n### Cis\n- @gameid: 200\n',
  '.svc/bindings.json': JSON.stringify({
    bindings: [{ chatId: 'konto-cisa', gameId: '200', since: '2026-01-01T00:00:00Z', by: 'x' }],
  }),
}

const callers = {
  sess_admin: { ...callerWith(['capability.admin', 'identity.read', 'pu.read'], 'Brzoza'), gameId: '100' },
  sess_linker: { ...callerWith(['identity.link', 'identity.read'], 'Brzoza'), gameId: '100' },
  sess_cis: { ...callerWith(['identity.read'], 'Cis'), gameId: '200' },
}

describe('rights over HTTP', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: worldOf(files), callers })
  })
  afterEach(() => front.close())

  const post = (path: string, body: object, token: string | null = 'sess_admin') =>
    front.client.ask(path, { method: 'POST', body: JSON.stringify(body), token })
  const get = (path: string, token: string) => front.client.ask(path, { token })
  const holds = (gameId: string) => {
    const world = front.world()
    return world === null ? new Set<string>() : identitiesOf(world).byGameId(gameId)?.holds
  }

  it('a grant is held until it is taken back', async () => {
    const given = await post('/capabilities/grant', { gameId: '200', capability: 'pu.read' })
    const binding = { chatId: 'konto-cisa', since: '2026-01-01T00:00:00Z', by: 'x' }
    deepEqual(given.json, {
      ...{ granted: 'pu.read', gameId: '200', name: 'Cis', changed: true, held: 'full' },
      binding,
    })
    ok(holds('200')?.has('pu.read'))
    const taken = await post('/capabilities/revoke', { gameId: '200', capability: 'pu.read' })
    // The bundle `gracz` has pu.read.own.
    deepEqual(taken.json, { revoked: 'pu.read', gameId: '200', name: 'Cis', changed: true, held: 'own' })
    ok(holds('200')?.has('pu.read') === false)
  })

  it('a grant to an id that no account speaks for says so', async () => {
    const { json } = await post('/capabilities/grant', { gameId: '100', capability: 'pu.read' })
    ok(isFields(json))
    equal(json['binding'], null)
  })

  it('fields of the file beside the list stay', async () => {
    front.serve(worldOf({ ...files, [grantsPath]: '{"note": "nasze", "grants": []}' }))
    await post('/capabilities/grant', { gameId: '200', capability: 'pu.read' })
    const world = front.world()
    match(world === null ? '' : (textsOf(world)[grantsPath] ?? ''), /^\{"note": "nasze", "grants": \[\n/)
  })

  it('a dry run shows the line and writes nothing', async () => {
    const reply = await post('/capabilities/grant?dryRun=true', { gameId: '200', capability: 'pu.read' })
    equal(reply.status, 200)
    match(reply.text, /"wouldGrant":"pu.read"/)
    match(reply.text, /\+\{\\"gameId\\":\\"200\\"/)
    const world = front.world()
    ok(world !== null && !Object.hasOwn(textsOf(world), grantsPath))
  })

  const refusals = [
    ['grant', { gameId: '200', capability: 'docs.edit' }, 422, 'ValueRefused'],
    ['grant', { gameId: '200', capability: 'admin.all' }, 403, 'Forbidden'],
    ['grant', { gameId: '900', capability: 'pu.read' }, 404, 'IdentityNotFound'],
    ['revoke', { gameId: '200', capability: 'docs.edit' }, 422, 'ValueRefused'],
    ['revoke', { gameId: '900', capability: 'pu.read' }, 404, 'IdentityNotFound'],
  ] as const
  for (const [what, body, status, error] of refusals)
    it(`${what} of ${body.capability} to ${body.gameId} is ${status} ${error}`, async () => {
      const reply = await post(`/capabilities/${what}`, body)
      ok(isFields(reply.json))
      deepEqual([reply.status, reply.json['error']], [status, error])
    })

  it('a file of grants that cannot be read is named and stays', async () => {
    front.serve(worldOf({ ...files, [grantsPath]: '{"grants": [' }))
    for (const what of ['grant', 'revoke']) {
      const reply = await post(`/capabilities/${what}`, { gameId: '200', capability: 'pu.read' })
      ok(isFields(reply.json))
      deepEqual([reply.status, reply.json['error'], reply.json['file']], [409, 'StoreUnreadable', grantsPath])
    }
  })

  it('whoami tells who the caller is, and of the machine that it is nobody', async () => {
    const cis = await get('/auth/whoami', 'sess_cis')
    deepEqual(cis.json, {
      kind: 'session',
      identity: { gameId: '200', name: 'Cis', roles: [], chatId: 'konto-cisa' },
      capabilities: ['identity.read'],
    })
    const machine = await front.client.ask('/auth/whoami')
    match(machine.text, /^\{"kind":"machine","identity":null,"capabilities":\["entity.read",/)
  })

  it('the chat account of a person is told to them and to who links accounts, and to nobody else', async () => {
    const shown = { gameId: '200', name: 'Cis', roles: [] }
    deepEqual((await get('/identity/200', 'sess_cis')).json, { ...shown, chatId: 'konto-cisa' })
    deepEqual((await get('/identity/200', 'sess_linker')).json, { ...shown, chatId: 'konto-cisa' })
    deepEqual((await get('/identity/200', 'sess_admin')).json, shown)
    deepEqual((await get('/identity/100', 'sess_linker')).json, {
      gameId: '100',
      name: 'Brzoza',
      roles: [],
      chatId: null,
    })
    for (const id of ['konto-cisa', 'Cis', '0200'])
      equal((await get(`/identity/${id}`, 'sess_linker')).status, 404, id)
  })
})
