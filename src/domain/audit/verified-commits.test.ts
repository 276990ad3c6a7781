import { deepEqual, equal } from 'node:assert/strict'
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import { commitText } from '#src/adapters/history/git-history.js'
import { commitObject } from '#src/adapters/landing/objects/object-writer.js'
import {
  type FleetKey,
  type FleetKeys,
  fleetKeysOf,
  signatureTrailer,
} from '#src/domain/identity/credentials/fleet-keys.js'
import { intentOf } from '#test/support/intent.js'
import { sourceFile } from '#test/support/world.js'
import { type ClaimedCommit, commitVerifier } from './verified-commits.js'

const atMs = Date.parse('2026-05-01T10:00:00Z')

const makeCommit = (message: string) =>
  commitObject({
    tree: 'a'.repeat(40),
    parent: 'b'.repeat(40),
    author: { name: 'Brzoza', email: 'brzoza@kronika.invalid' },
    committer: { name: 'Kronika', email: 'kronika@kronika.invalid' },
    atMs,
    message,
  })
const claimedOf = ({ id, content }: ReturnType<typeof makeCommit>): ClaimedCommit => ({
  id,
  ...commitText(content),
})

const message = 'pu: maj\n\nSvc-Intent: i-1\nSvc-Actor: Brzoza\nSvc-Route: POST /workflows/award-pu\n'
const newKey = (): KeyObject =>
  createPrivateKey(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }))
const signCommit = (key: KeyObject, kid = 'brod.1', text = message) =>
  makeCommit(`${text}${signatureTrailer(makeCommit(text).content, kid, key)}`)

const publishKey = (key: KeyObject, notAfterMs: number | null = null, kid = 'brod.1'): FleetKey => ({
  kid,
  town: 'brod',
  alg: 'EdDSA',
  jwk: { kty: 'OKP', crv: 'Ed25519', x: createPublicKey(key).export({ format: 'jwk' }).x ?? '' },
  notAfter: notAfterMs === null ? null : instantOf(notAfterMs),
})
const keysWith = (...keys: ReadonlyArray<FleetKey>): FleetKeys =>
  fleetKeysOf(sourceFile('.svc/fleet-keys.json', JSON.stringify({ epoch: 1, keys })))

const nobody = () => null

describe('the trailers of a commit', () => {
  const key = newKey()
  const commit = claimedOf(signCommit(key))

  it('are true where a published key signed the commit, and false without the key or the signature', () => {
    const verified = commitVerifier(nobody)
    equal(verified(commit, keysWith(publishKey(key))), true)
    equal(verified(commit, keysWith()), false)
    equal(verified(commit, keysWith(publishKey(newKey()))), false)
    equal(verified(commit, keysWith(publishKey(key, null, 'brod.2'))), false)
    equal(verified(claimedOf(makeCommit(message)), keysWith(publishKey(key))), false)
  })

  it('are false where anything of the commit was changed after it was signed', () => {
    const verified = commitVerifier(nobody)
    const content = signCommit(key).content.toString('utf8')
    for (const [from, to] of [
      ['i-1', 'i-2'],
      ['Svc-Actor: Brzoza', 'Svc-Actor: Cis'],
      ['award-pu', 'award-px'],
      [`tree ${'a'.repeat(40)}`, `tree ${'c'.repeat(40)}`],
      [`parent ${'b'.repeat(40)}`, `parent ${'c'.repeat(40)}`],
      ['author Brzoza', 'author Cis'],
      [`${atMs / 1000} +0000\n\n`, `${atMs / 1000 + 1} +0000\n\n`],
      ['brod.1', 'brod.9'],
    ] as const) {
      const text = content.replace(from, to)
      equal(text === content, false, from)
      const forged: ClaimedCommit = { id: commit.id, ...commitText(Buffer.from(text, 'utf8')) }
      equal(verified({ ...forged, id: makeCommit(text).id }, keysWith(publishKey(key))), false, from)
    }
    const behind = `${content}Svc-Route: POST /entities\n`
    equal(
      verified(
        { ...claimedOf(makeCommit('x')), ...commitText(Buffer.from(behind)) },
        keysWith(publishKey(key)),
      ),
      false,
    )
  })

  it('stay true with a retired key for what it signed until its end, and not for later commits', () => {
    const verified = commitVerifier(nobody)
    equal(verified(commit, keysWith(publishKey(key, atMs))), true)
    equal(verified(commit, keysWith(publishKey(key, atMs - 1000))), false)
  })

  it('are tried once with each key, and false from the moment in which the key is withdrawn', () => {
    const tried: Array<string> = []
    const verified = commitVerifier(nobody, id => void tried.push(id))
    const good = keysWith(publishKey(key))
    const seen = [good, good, keysWith(), good, keysWith(publishKey(key, atMs))].map(keys =>
      verified(commit, keys),
    )
    deepEqual([seen, tried], [[true, true, false, true, true], [commit.id]])
  })

  it('are true where this host has the intent with this very commit, and not where the id was copied', () => {
    const own = claimedOf(makeCommit(message))
    const intent = intentOf('i-1', { commit: own.id })
    const verified = commitVerifier(id => (id === 'i-1' ? intent : null))
    equal(verified(own, keysWith()), true)
    equal(verified(claimedOf(makeCommit(`inne\n\n${message}`)), keysWith()), false)
  })
})
