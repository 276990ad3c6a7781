import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { type FleetKeysFile, fleetKeysOf, fleetKeysPath } from './credentials/fleet-keys.js'
import { keysOfOtherTowns, type Rotation, rotateFleetKey, withdrawKeys } from './credentials/private-keys.js'

const nowMs = Date.parse('2026-06-15T12:00:00Z')
const asked: Rotation = { town: 'Arkadia', x: 'n'.repeat(43), held: [], raisesEpoch: false, nowMs }

const key = (kid: string, town: string, letter: string, notAfter: string | null = null) => ({
  kid,
  town,
  alg: 'EdDSA',
  jwk: { kty: 'OKP', crv: 'Ed25519', x: letter.repeat(43) },
  notAfter,
})

const file = (epoch: number, ...keys: ReadonlyArray<unknown>): FleetKeysFile => {
  const read = fleetKeysOf(sourceFile(fleetKeysPath, JSON.stringify({ epoch, keys }))).stored
  if (read === null) throw new Error('the file of the test cannot be read')
  return read
}

const ends = ({ keys }: FleetKeysFile) => keys.map(({ kid, notAfter }) => [kid, notAfter])

describe('the rotation of a fleet key', () => {
  it('makes the file with the first key of the first town', () => {
    const { kid, file: made } = rotateFleetKey(null, asked)
    equal(kid, 'Arkadia.1')
    deepEqual(made, { epoch: 1, keys: [{ ...key('Arkadia.1', 'Arkadia', 'n') }] })
  })

  it('gives the older key of the town an hour, and leaves those of other towns', () => {
    const before = file(4, key('Arkadia.7', 'Arkadia', 'a'), key('Bergen.2', 'Bergen', 'b'))
    const { kid, file: made } = rotateFleetKey(before, asked)
    deepEqual([kid, made.epoch], ['Arkadia.8', 4])
    deepEqual(ends(made), [
      ['Bergen.2', null],
      ['Arkadia.7', '2026-06-15T13:00:00.000Z'],
      ['Arkadia.8', null],
    ])
  })

  it('drops what has ended and does not lengthen what ends sooner', () => {
    const soon = '2026-06-15T12:10:00Z'
    const before = file(
      1,
      key('Arkadia.1', 'Arkadia', 'a', '2026-06-15T11:59:59Z'),
      key('Arkadia.2', 'Arkadia', 'b', soon),
      key('Arkadia.3', 'Arkadia', 'c'),
    )
    deepEqual(ends(rotateFleetKey(before, asked).file), [
      ['Arkadia.2', soon],
      ['Arkadia.3', '2026-06-15T13:00:00.000Z'],
      ['Arkadia.4', null],
    ])
  })

  it('drops the older keys of the town at once when it raises the epoch', () => {
    const before = file(4, key('Arkadia.7', 'Arkadia', 'a'), key('Bergen.2', 'Bergen', 'b'))
    const { file: made } = rotateFleetKey(before, { ...asked, raisesEpoch: true })
    equal(made.epoch, 5)
    deepEqual(ends(made), [
      ['Bergen.2', null],
      ['Arkadia.8', null],
    ])
  })

  it('drops all that is held when it raises the epoch, whatever town it names, and else leaves it', () => {
    const before = file(
      4,
      key('Inna.1', 'Inna', 'i'),
      key('Inna.2', 'Inna', 'j'),
      key('Bergen.2', 'Bergen', 'b'),
      key('Arkadia.7', 'Arkadia', 'a'),
    )
    const held = ['i'.repeat(43), 'a'.repeat(43)]
    const kids = (raisesEpoch: boolean) =>
      rotateFleetKey(before, { ...asked, held, raisesEpoch }).file.keys.map(({ kid }) => kid)
    deepEqual(kids(true), ['Inna.2', 'Bergen.2', 'Arkadia.8'])
    deepEqual(kids(false), ['Inna.1', 'Inna.2', 'Bergen.2', 'Arkadia.7', 'Arkadia.8'])
  })

  it('knows of what is held the keys that may sign for another town', () => {
    const before = file(
      1,
      key('Inna.1', 'Inna', 'i'),
      key('Inna.2', 'Inna', 'j', '2026-06-15T11:59:59Z'),
      key('Arkadia.7', 'Arkadia', 'a'),
      key('Bergen.2', 'Bergen', 'b'),
    )
    const held = ['i', 'j', 'a'].map(letter => letter.repeat(43))
    deepEqual(
      keysOfOtherTowns(before, { town: 'Arkadia', held, nowMs }).map(({ kid }) => kid),
      ['Inna.1'],
    )
    deepEqual(keysOfOtherTowns(null, { town: 'Arkadia', held, nowMs }), [])
  })

  it('withdraws every key of a town, and nothing else', () => {
    const before = file(
      4,
      key('Bergen.2', 'Bergen', 'b'),
      key('Arkadia.7', 'Arkadia', 'a', '2027-01-01T00:00:00Z'),
      key('Arkadia.8', 'Arkadia', 'c'),
    )
    const left = file(4, key('Bergen.2', 'Bergen', 'b'))
    deepEqual({ ...withdrawKeys(before, 'Arkadia') }, { ...left })
    deepEqual({ ...withdrawKeys(before, 'Inna') }, { ...before })
  })

  it('changes nothing where the key stands, and raises the epoch alone', () => {
    const before = file(1, key('Bergen.2', 'Bergen', 'b'), key('Arkadia.1', 'Arkadia', 'n'))
    const { kid, file: made } = rotateFleetKey(before, asked)
    deepEqual([kid, JSON.stringify(made)], ['Arkadia.1', JSON.stringify(before)])
    deepEqual(rotateFleetKey(before, { ...asked, raisesEpoch: true }).file, { ...before, epoch: 2 })
  })

  it('counts on where the town has a dot and a number of its own', () => {
    const before = file(1, key('Arkadia.1.3', 'Arkadia.1', 'a'))
    equal(rotateFleetKey(before, { ...asked, town: 'Arkadia.1' }).kid, 'Arkadia.1.4')
    equal(rotateFleetKey(before, asked).kid, 'Arkadia.1')
  })

  it('keeps members of the file that it does not know', () => {
    const before = file(1)
    deepEqual(rotateFleetKey({ ...before, ...{ note: 'x' } }, asked).file, {
      note: 'x',
      epoch: 1,
      keys: [key('Arkadia.1', 'Arkadia', 'n')],
    })
  })
})
