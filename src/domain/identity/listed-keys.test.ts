import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { keysFile, publishedKeyOf, testHost, xOf } from '#test/support/identity/fleet.js'
import { sourceFile } from '#test/support/world.js'
import { describeKeys } from './credentials/api-keys.js'
import { fleetKeysOf, fleetKeysPath } from './credentials/fleet-keys.js'

const [arkadia, bergen] = [testHost('Arkadia'), testHost('Bergen')]
const endMs = Date.parse('2026-06-15T13:00:00Z')
const keysOf = (...keys: ReadonlyArray<unknown>) =>
  fleetKeysOf(sourceFile(fleetKeysPath, keysFile({ epoch: 1, keys })))
const standings = (keys: ReturnType<typeof keysOf>, nowMs: number) =>
  describeKeys(keys, [], nowMs).map(({ kid, standing }) => [kid, standing])

describe('the list of published keys', () => {
  it('tells a key that has no end, one that ends, and one that has ended, to the millisecond', () => {
    const keys = keysOf(
      publishedKeyOf(arkadia, '2026-06-15T13:00:00Z'),
      publishedKeyOf({ ...testHost('Arkadia'), kid: 'Arkadia.2' }),
    )
    for (const [nowMs, standing] of [
      [endMs - 1, 'older'],
      [endMs, 'older'],
      [endMs + 1, 'withdrawn'],
    ] as const)
      deepEqual(standings(keys, nowMs), [
        ['Arkadia.1', standing],
        ['Arkadia.2', 'current'],
      ])
  })

  it('tells keys that verify nothing, though they have no end', () => {
    const burnt = {
      ...publishedKeyOf(arkadia),
      kid: 'burnt',
      jwk: { ...publishedKeyOf(arkadia).jwk, d: 'A' },
    }
    const keys = keysOf(burnt, publishedKeyOf(bergen), { ...publishedKeyOf(bergen), town: 'Cis' })
    deepEqual(standings(keys, 0), [
      ['burnt', 'unusable'],
      ['Bergen.1', 'unusable'],
      ['Bergen.1', 'unusable'],
    ])
  })

  it('goes town by town in the order of the file, and tells which private halves are here', () => {
    const second = { ...testHost('Arkadia'), kid: 'Arkadia.2' }
    const keys = keysOf(publishedKeyOf(bergen), publishedKeyOf(second), publishedKeyOf(arkadia))
    const rows = (held: ReadonlyArray<string> | null) =>
      describeKeys(keys, held, 0).map(row => [row.kid, row.held, row.x])
    const [b, s, a] = [bergen, second, arkadia].map(host => xOf(host.publicKey))
    deepEqual(rows([String(s), 'other']), [
      ['Arkadia.2', true, s],
      ['Arkadia.1', false, a],
      ['Bergen.1', false, b],
    ])
    deepEqual(
      rows(null).map(([, held]) => held),
      [null, null, null],
    )
  })

  it('is empty where nothing is published', () => deepEqual(describeKeys(fleetKeysOf(null), [], 0), []))
})
