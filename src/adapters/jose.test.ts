import { equal, notEqual } from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { describe, it } from 'mocha'
import type { VerifyKey } from '#src/ports/identity.js'
import { ed25519Signer, verifyJws } from './jose.js'

const encodeJson = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const okp = (key: KeyObject): VerifyKey => ({ alg: 'EdDSA', key })

const rsa = (key: KeyObject): VerifyKey => ({ alg: 'RS256', key })

const signToken = (header: object, digest: string | null, key: KeyObject): string => {
  const input = `${encodeJson(header)}.${encodeJson({ sub: '1' })}`
  return `${input}.${sign(digest, Buffer.from(input), key).toString('base64url')}`
}

describe('jose', () => {
  const host = generateKeyPairSync('ed25519')
  const provider = generateKeyPairSync('rsa', { modulusLength: 2048 })

  it('signs what another implementation verifies', async () => {
    const token = await ed25519Signer(host.privateKey)({ typ: 'T', kid: 'a.1' }, { sub: '7' })
    const [head = '', body = '', signature = ''] = token.split('.')
    equal(
      verify(null, Buffer.from(`${head}.${body}`), host.publicKey, Buffer.from(signature, 'base64url')),
      true,
    )
    equal(head, encodeJson({ alg: 'EdDSA', typ: 'T', kid: 'a.1' }))
    equal(body, encodeJson({ sub: '7' }))
  })

  it('verifies what another implementation signed, by the key alone', async () => {
    const token = signToken({ alg: 'EdDSA' }, null, host.privateKey)
    equal(await verifyJws(token, okp(host.publicKey)), true)
    equal(await verifyJws(token, okp(generateKeyPairSync('ed25519').publicKey)), false)
    const id = signToken({ alg: 'RS256' }, 'sha256', provider.privateKey)
    equal(await verifyJws(id, rsa(provider.publicKey)), true)
    equal(await verifyJws(id, okp(host.publicKey)), false)
  })

  it('takes no other algorithm than the one of the key, whatever the header says', async () => {
    equal(
      await verifyJws(signToken({ alg: 'RS512' }, 'sha512', provider.privateKey), rsa(provider.publicKey)),
      false,
    )
    equal(
      await verifyJws(signToken({ alg: 'RS256' }, 'sha512', provider.privateKey), rsa(provider.publicKey)),
      false,
    )
    equal(
      await verifyJws(`${encodeJson({ alg: 'none' })}.${encodeJson({ sub: '1' })}.`, okp(host.publicKey)),
      false,
    )
  })

  it('takes no RSA key of fewer than 2,048 bits and no key of another kind', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    equal(await verifyJws(signToken({ alg: 'RS256' }, 'sha256', weak.privateKey), rsa(weak.publicKey)), false)
    const token = signToken({ alg: 'EdDSA' }, null, host.privateKey)
    equal(await verifyJws(token, okp(provider.publicKey)), false)
    equal(await verifyJws(token, okp(generateKeyPairSync('ed448').publicKey)), false)
    equal(await verifyJws(token, rsa(host.publicKey)), false)
  })

  it('sees one changed letter of header, claims or signature', async () => {
    const token = signToken({ alg: 'EdDSA', kid: 'a' }, null, host.privateKey)
    for (const at of [3, token.indexOf('.') + 3, token.lastIndexOf('.') + 3]) {
      const other = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      notEqual(other, token)
      equal(await verifyJws(other, okp(host.publicKey)), false)
    }
  })
})
