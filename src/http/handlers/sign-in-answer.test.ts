import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { identitiesOf } from '#src/domain/identity/callers.js'
import { worldOf } from '#test/support/world.js'
import { makeSignInAnswer } from './identity/sign-in.js'

describe('the answer of a sign-in', () => {
  const world = worldOf({
    '.svc/format.json': '{"format": 2}',
    '.svc/bindings.json': JSON.stringify({
      bindings: [{ chatId: '11', gameId: '7001', since: '2026-01-01T00:00:00Z', by: 'operator' }],
    }),
    'kontrybutorzy.md': '## Gracz\n\n### Brzoza\n- @gameid: 7001\n- @rola: Narrator\n',
  })
  const known = identitiesOf(world).byGameId('7001')
  const minted = { token: 'sess_a', expiresMs: Date.parse('2026-06-15T16:00:00Z'), fleet: null }

  it('tells who signed in, what they hold today, and no fleet token where there is none', () => {
    if (known === null) throw new Error('nobody is known')
    const answer = makeSignInAnswer(known, minted)
    equal(answer.token, 'sess_a')
    equal(answer.expires, '2026-06-15T16:00:00.000Z')
    deepEqual(answer.identity, { gameId: '7001', name: 'Brzoza', roles: ['Narrator'], chatId: '11' })
    equal(answer.capabilities.includes('session.write'), true)
    equal(answer.capabilities.includes('admin.all'), false)
    deepEqual(Object.keys(answer), ['token', 'identity', 'capabilities', 'expires'])
  })

  it('tells both tokens on a host that can mint them', () => {
    if (known === null) throw new Error('nobody is known')
    const fleet = { token: 'fsess_b', expiresMs: Date.parse('2026-06-15T12:15:00Z') }
    const answer = makeSignInAnswer(known, { ...minted, fleet })
    deepEqual([answer.fleetToken, answer.fleetTokenExpires], ['fsess_b', '2026-06-15T12:15:00.000Z'])
  })
})
