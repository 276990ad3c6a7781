import { deepEqual, equal } from 'node:assert/strict'
import { createPublicKey, verify, webcrypto } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { before, describe, it } from 'mocha'
import { verifyJws } from '#src/adapters/jose.js'
import { keysOfSet } from '#src/domain/identity/credentials/key-documents.js'
import { readJwt } from '#src/domain/identity/credentials/tokens.js'

const folder = new URL('../../../shared/contracts/wycheproof/', import.meta.url)

const Result = t.keyof({ valid: null, invalid: null, acceptable: null })

const JwsFile = t.type({
  testGroups: t.array(
    t.intersection([
      t.type({
        comment: t.string,
        tests: t.array(t.type({ tcId: t.number, comment: t.string, jws: t.string, result: Result })),
      }),
      t.partial({ public: t.UnknownRecord }),
    ]),
  ),
})

const RsaFile = t.type({
  testGroups: t.array(
    t.type({
      publicKeyPem: t.string,
      tests: t.array(t.type({ tcId: t.number, msg: t.string, sig: t.string, result: Result })),
    }),
  ),
})

const readVectors = <A>(name: string, codec: t.Type<A>): A => {
  const decoded = codec.decode(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
  if (isLeft(decoded)) throw new Error(`${name} has another shape`)
  return decoded.right
}

const partOf = (jws: string, index: number): string => jws.split('.')[index] ?? ''

const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part

/** The form of a token, but for its claims: those of the vectors are no JSON. */
const hasForm = (jws: string): boolean => {
  const jwt = readJwt(jws)
  return (!isLeft(jwt) || jwt.left === 'its claims are not a JSON object') && isCanonical(partOf(jws, 1))
}

const kidOf = (jws: string): string | null => {
  const header: unknown = JSON.parse(Buffer.from(partOf(jws, 0), 'base64url').toString())
  return t.type({ kid: t.string }).is(header) ? header.kid : null
}

/** What chat sign-in does with a token and the key set of the issuer, but for the claims. */
const isAccepted = async (jws: string, set: object): Promise<boolean> => {
  if (!hasForm(jws)) return false
  const kid = kidOf(jws)
  const [key, ...others] = (keysOfSet(JSON.stringify(set)) ?? []).filter(
    one => kid === null || one.kid === kid,
  )
  return key !== undefined && others.length === 0 && (await verifyJws(jws, { alg: 'RS256', key: key.key }))
}

/** Valid vectors of RS256 that are refused, and why. */
const refusedValid = {
  '259 emptyPayload': 'A token without claims is none (RFC 7519 7.2): an id token never is.',
}

/** A vector by its number, with what is said of it. */
const caseTitle = (tcId: number, comment: string): string => `${tcId} ${comment}`

describe('Wycheproof vectors', () => {
  before(function () {
    if (existsSync(folder)) return
    console.log('      the vectors are not beside the project: not tried')
    this.skip()
  })

  it('of JWS: no invalid one is accepted, and every valid RS256 one of 2,048 bits and more', async () => {
    const { testGroups } = readVectors('json_web_signature_test.json', JwsFile)
    const wrong: Array<string> = []
    const refused: Array<string> = []
    const counts = { valid: 0, invalid: 0, acceptable: 0 }
    for (const { public: key = {}, tests } of testGroups)
      for (const { tcId, comment, jws, result } of tests) {
        const accepted = await isAccepted(jws, { keys: [key] })
        if (accepted && result === 'invalid') wrong.push(caseTitle(tcId, comment))
        if (key['alg'] !== 'RS256') {
          equal(accepted, false, `${tcId} is of another algorithm`)
          continue
        }
        counts[result] += 1
        if (!accepted && result === 'valid') refused.push(caseTitle(tcId, comment))
      }
    console.log(`      RS256: ${counts.valid} valid, ${counts.invalid} invalid`)
    deepEqual(wrong, [])
    deepEqual(refused, Object.keys(refusedValid))
  })

  it('of key sets: no invalid one is accepted, weak and vulnerable keys among them', async () => {
    const { testGroups } = readVectors('json_web_key_test.json', JwsFile)
    const accepted: Array<string> = []
    for (const { comment, public: set = {}, tests } of testGroups)
      for (const { jws, result } of tests)
        if (await isAccepted(jws, set)) accepted.push(`${comment} ${result}`)
    deepEqual(accepted, ['rs256 valid'])
  })

  for (const bits of [2048, 3072, 4096])
    it(`of raw signatures of ${bits} bits: only valid ones pass what verifies here`, async () => {
      const { testGroups } = readVectors(`rsa_signature_${bits}_sha256_test.json`, RsaFile)
      const wrong: Array<number> = []
      const counts = { valid: 0, invalid: 0, acceptable: 0 }
      for (const { publicKeyPem, tests } of testGroups) {
        const key = createPublicKey(publicKeyPem)
        const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
        const spki = key.export({ type: 'spki', format: 'der' })
        const imported = await webcrypto.subtle.importKey('spki', spki, algorithm, false, ['verify'])
        for (const { tcId, msg, sig, result } of tests) {
          const [message, signature] = [Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex')]
          const passes = [
            verify('sha256', message, key, signature),
            await webcrypto.subtle.verify(algorithm, imported, signature, message),
          ]
          counts[result] += 1
          // Acceptable: a signature of before PKCS #1 v2, which leaves out a NULL. It is refused.
          if (passes.some(one => one !== (result === 'valid'))) wrong.push(tcId)
        }
      }
      console.log(`      ${counts.valid} valid, ${counts.invalid} invalid, ${counts.acceptable} acceptable`)
      deepEqual(wrong, [])
    })
})
