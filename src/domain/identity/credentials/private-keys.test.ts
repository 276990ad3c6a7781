import { deepEqual, equal } from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'mocha'
import { nowMs } from '#test/support/front.js'
import { keysFile, publishedKeyOf, testHost, xOf } from '#test/support/identity/fleet.js'
import { sourceFile } from '#test/support/world.js'
import { fleetKeysOf, fleetKeysPath } from './fleet-keys.js'
import { findMintKey, pemOf, privateKeysOf, townsOf } from './private-keys.js'

const pem = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString()
const xs = (text: string): ReadonlyArray<string> => privateKeysOf(text).map(({ x }) => x)

describe('private keys of a host', () => {
  const host = testHost('Arkadia')
  const next = { ...testHost('Arkadia'), kid: 'Arkadia.2' }
  const [x, nextX] = [xOf(host.publicKey), xOf(next.publicKey)]

  it('are read from PEM blocks, from an environment variable on one line, and from a JWK', () => {
    deepEqual(xs(pem(host.privateKey)), [x])
    deepEqual(xs(`${pem(next.privateKey)}\n${pem(host.privateKey)}`), [nextX, x])
    deepEqual(xs(pem(host.privateKey).replaceAll('\n', '\\n')), [x])
    deepEqual(xs(JSON.stringify(host.privateKey.export({ format: 'jwk' }))), [x])
    deepEqual(privateKeysOf(pem(host.privateKey)).map(pemOf), [pem(host.privateKey)])
  })

  it('are none of another kind, encrypted, public or broken', () => {
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const locked = host.privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    })
    for (const text of [
      '',
      'x',
      '{',
      '{}',
      pem(rsa),
      String(locked),
      host.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      JSON.stringify(host.publicKey.export({ format: 'jwk' })),
      pem(host.privateKey).replace('MC4C', 'MC4D'),
    ])
      deepEqual(xs(text), [], text)
  })

  it('sign with the published one that ends first and outlives a token', () => {
    const held = privateKeysOf(`${pem(next.privateKey)}${pem(host.privateKey)}`)
    const kid = (lifeS: number | null): string | undefined => {
      const notAfter = lifeS === null ? null : new Date(nowMs + lifeS * 1000).toISOString()
      const keys = [
        publishedKeyOf(next),
        publishedKeyOf(host, notAfter),
        publishedKeyOf(testHost('Bergen'), null),
      ]
      const file = fleetKeysOf(sourceFile(fleetKeysPath, keysFile({ epoch: 1, keys })))
      return findMintKey({ town: 'Arkadia', held }, file, nowMs)?.published.kid
    }
    equal(kid(3600), 'Arkadia.1')
    equal(kid(900), 'Arkadia.1')
    equal(kid(899), 'Arkadia.2')
    const strangers = fleetKeysOf(
      sourceFile(fleetKeysPath, keysFile({ epoch: 1, keys: [publishedKeyOf(testHost('Arkadia'))] })),
    )
    equal(findMintKey({ town: 'Arkadia', held }, strangers, nowMs), null)
  })

  it('sign for the town of their host alone', () => {
    const held = privateKeysOf(pem(host.privateKey))
    const keys = fleetKeysOf(sourceFile(fleetKeysPath, keysFile({ epoch: 1, keys: [publishedKeyOf(host)] })))
    const kid = (town: string) => findMintKey({ town, held }, keys, nowMs)?.published.kid
    deepEqual(['Arkadia', 'Bergen', '', 'arkadia'].map(kid), ['Arkadia.1', undefined, undefined, undefined])
    deepEqual(townsOf(held, keys), ['Arkadia'])
    deepEqual(townsOf(privateKeysOf(pem(next.privateKey)), keys), [])
  })
})
