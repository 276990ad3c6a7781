import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { bindingsOf, bindingsPath } from './links/bindings.js'
import { grantsOf, grantsPath } from './rights/grants.js'
import { fleetKeysOf, fleetKeysPath } from './tokens/fleet-keys.js'

const since = '2026-01-01T00:00:00Z'
const binding = (chatId: string, gameId: string) => ({ chatId, gameId, since, by: 'x' })
const x = 'A'.repeat(43)
const jwk = { kty: 'OKP', crv: 'Ed25519', x }
const key = (kid: string) => ({ kid, town: kid, alg: 'EdDSA', jwk, notAfter: null })

describe('committed files of identity', () => {
  for (const text of ['', '[]', '{"grants": 1}', '{"grants": [{"gameId": 1}]}'])
    it(`give nobody anything where they cannot be read: ${text}`, () => {
      const read = grantsOf(sourceFile(grantsPath, text))
      deepEqual([read.stored, read.byGameId.size, read.findings.length], [null, 0, 1])
      equal(bindingsOf(sourceFile(bindingsPath, text)).findings[0]?.kind, 'BindingsUnreadable')
      equal(fleetKeysOf(sourceFile(fleetKeysPath, text)).findings[0]?.kind, 'FleetKeysUnreadable')
    })

  it('bind nobody by an account or an id that stands twice', () => {
    const bindings = [
      binding('a', '1'),
      binding('a', '2'),
      binding('b', '3'),
      binding('c', '3'),
      binding('d', '4'),
    ]
    const read = bindingsOf(sourceFile(bindingsPath, JSON.stringify({ bindings })))
    deepEqual([...read.byChat.keys()], ['d'])
    deepEqual(
      read.findings.map(found => found.subject),
      ['a', '3'],
    )
    equal(read.stored?.length, 5)
  })

  it('publish no key that stands twice, and none of another kind', () => {
    const text = JSON.stringify({ epoch: 3, keys: [key('one'), key('two'), key('two')] })
    const read = fleetKeysOf(sourceFile(fleetKeysPath, text))
    deepEqual([read.epoch, [...read.byKid.keys()]], [3, ['one']])
    deepEqual(
      read.findings.map(({ kind, subject }) => [kind, subject]),
      [['FleetKeyTwice', 'two']],
    )
    for (const odd of [{ alg: 'RS256' }, { jwk: { ...jwk, kty: 'RSA' } }, { jwk: { ...jwk, x: 'A' } }]) {
      const strange = JSON.stringify({ epoch: 3, keys: [{ ...key('one'), ...odd }] })
      equal(fleetKeysOf(sourceFile(fleetKeysPath, strange)).epoch, null)
    }
  })

  it('are nothing where they are absent', () => {
    deepEqual([grantsOf(null).stored, bindingsOf(null).stored, fleetKeysOf(null).epoch], [[], [], null])
  })
})
