import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { describe, it } from 'mocha'
import { leastTurnMs } from '#test/support/longest-turn.js'
import { sourceFile } from '#test/support/world.js'
import { bindingsOf, bindingsPath } from './bindings.js'
import { fleetKeysOf, fleetKeysPath } from './credentials/fleet-keys.js'
import { grantsOf, grantsPath } from './grants.js'

const since = '2026-01-01T00:00:00Z'
const makeBinding = (chatId: string, gameId: string) => ({ chatId, gameId, since, by: 'x' })
const x = 'A'.repeat(43)
const jwk = { kty: 'OKP', crv: 'Ed25519', x }
const key = (kid: string) => ({ kid, town: kid, alg: 'EdDSA', jwk, notAfter: null })

describe('committed files of identity', () => {
  const [grant, tooLong] = [
    JSON.stringify({ ...makeBinding('a', '1'), capability: 'admin.all' }),
    ' '.repeat(1_048_577),
  ]
  for (const text of [
    ...['', '[]', '{"grants": 1}', '{"grants": [{"gameId": 1}]}', '['.repeat(200_000)],
    `{"grants": [], "bindings": [], "epoch": 1, "keys": [], "grants": [${grant}], "bindings": [], "keys": []}`,
    `{"__proto__": {}, "grants": [], "bindings": [], "epoch": 1, "keys": []}`,
    `{"grants": [], "bindings": [], "epoch": 1, "keys": []}${tooLong}`,
  ])
    it(`give nobody anything where they cannot be read: ${text.slice(0, 90)}`, () => {
      const read = grantsOf(sourceFile(grantsPath, text))
      deepEqual([read.stored, read.byGameId.size, read.findings.length], [null, 0, 1])
      equal(bindingsOf(sourceFile(bindingsPath, text)).findings[0]?.kind, 'BindingsUnreadable')
      equal(fleetKeysOf(sourceFile(fleetKeysPath, text)).findings[0]?.kind, 'FleetKeysUnreadable')
    })

  it('have the field that is wrong named, and nothing that it holds', () => {
    const bindings = JSON.stringify({
      bindings: [makeBinding('a', '1'), { ...makeBinding('b', '2'), since: 'wczoraj' }],
    })
    const keys = JSON.stringify({ epoch: 3, keys: [{ ...key('one'), jwk: { ...jwk, x: 'sekret' } }] })
    const reasons = [
      bindingsOf(sourceFile(bindingsPath, bindings)).findings[0]?.reason,
      fleetKeysOf(sourceFile(fleetKeysPath, keys)).findings[0]?.reason,
    ]
    match(reasons[0] ?? '', /\(złe pole: \$\.bindings\[1\]\.since\)/)
    match(reasons[1] ?? '', /\(złe pole: \$\.keys\[0\]\.jwk\.x\)/)
    ok(!/wczoraj|sekret/.test(reasons.join()))
  })

  it('bind nobody by an account or an id that is there twice', () => {
    const bindings = [
      makeBinding('a', '1'),
      makeBinding('a', '2'),
      makeBinding('b', '3'),
      makeBinding('c', '3'),
      makeBinding('d', '4'),
    ]
    const read = bindingsOf(sourceFile(bindingsPath, JSON.stringify({ bindings })))
    deepEqual([...read.byChat.keys()], ['d'])
    deepEqual(
      read.findings.map(found => found.subject),
      ['a', '3'],
    )
    equal(read.stored, null)
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

  it('are read in one short turn at the most they may hold', async () => {
    const many = Array.from({ length: 9_000 }, (_, at) => `c${at}`)
    const bindings = many.map(id => ({ ...makeBinding(id, id.padStart(38, '0')), by: 'x' }))
    const text = JSON.stringify({ bindings })
    ok(text.length > 900_000 && text.length < 1_048_576, String(text.length))
    const file = sourceFile(bindingsPath, text)
    const turnMs = await leastTurnMs(250, async () => {
      await setImmediate()
      equal(bindingsOf(file).byChat.size, 9_000)
      await setImmediate()
    })
    ok(turnMs < 250, `${turnMs} ms`)
  })

  it('tell of a hundred accounts that stand twice, and count the rest', () => {
    const twice = Array.from({ length: 500 }, (_, at) => makeBinding(`c${at % 250}`, String(at)))
    const read = bindingsOf(sourceFile(bindingsPath, JSON.stringify({ bindings: twice })))
    deepEqual([read.byChat.size, read.findings.length], [0, 101])
    match(read.findings[100]?.reason ?? '', / 150\.$/)
  })

  it('are nothing where they are absent', () => {
    deepEqual([grantsOf(null).stored, bindingsOf(null).stored, fleetKeysOf(null).epoch], [[], [], null])
  })
})
