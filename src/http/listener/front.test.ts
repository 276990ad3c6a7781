import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { askTarget } from '#test/support/http-client.js'

/** The advice depends on the kind of the token. */
const mends: ReadonlyArray<readonly [string, RegExp]> = [
  ['sess_unheard_of', /Sign in again/],
  ['fsess_unheard.of.it', /Sign in again/],
  ['named_unheard.of', /kronika token mint/],
  ['apik_unheard_of', /api-keys/],
]

describe('the front over the closed table', () => {
  let front: TestFront
  before(async () => {
    front = await testFront({ callers: { sess_narrow: callerWith(['entity.read']) } })
  })
  after(() => front.close())

  it('answers public rows without credentials', async () => {
    const health = await front.client.ask('/health', { token: null })
    equal(health.status, 200)
    equal(health.headers['content-type'], 'application/json; charset=utf-8')
    match(String(health.headers['x-request-id']), /^test-boo-/)
  })

  it('asks for credentials before it tells whether there is a route', async () => {
    const reply = await front.client.ask('/nowhere', { token: null })
    equal(reply.status, 401)
    equal(reply.headers['www-authenticate'], 'Bearer')
    deepEqual(reply.json, {
      error: 'Unauthorized',
      detail: 'The request has no token. Send `Authorization: Bearer <token>`.',
    })
    const strange = await front.client.ask('/nowhere', { token: 'unheard_of' })
    equal(strange.status, 401)
    match(
      strange.text,
      /This host does not know the token\. .*machine\.token.*kronika token mint.* bot or a script/,
    )
    for (const [token, mend] of mends) match((await front.client.ask('/nowhere', { token })).text, mend)
    equal((await front.client.ask('/nowhere')).status, 404)
    equal((await front.client.ask('/health', { method: 'POST' })).status, 404)
  })

  it('names the capability that is missing', async () => {
    const reply = await front.client.ask('/capabilities', { token: 'sess_narrow' })
    equal(reply.status, 403)
    deepEqual(reply.json, {
      error: 'Forbidden',
      detail: 'The token lacks the capability capability.read. Use a token that has it.',
      required: 'capability.read',
    })
  })

  it('gives metrics and probes on the operations listener alone', async () => {
    equal(
      (await askTarget(front.front.opsPort, '/metrics')).headers['content-type']?.startsWith('text/plain'),
      true,
    )
    equal((await askTarget(front.front.opsPort, '/livez')).status, 200)
    equal((await askTarget(front.front.opsPort, '/readyz')).status, 200)
    equal((await front.ops.ask('/health')).status, 200)
    equal((await askTarget(front.front.apiPort, '/metrics')).status, 401)
  })
})
