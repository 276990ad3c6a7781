import { type KeyObject, sign, verify } from 'node:crypto'
import { endsMs, type FleetKey, publicKeyOf } from './fleet-keys.js'

/**
 * The signature trailer of a commit, unverified: the id of the key, the base64url signature, and the signed
 * bytes.
 */
export interface CommitSignature {
  readonly kid: string
  readonly text: string
  readonly signed: Buffer
}

/** Precedes the signed bytes, so that a signature of a commit is never valid for a token, nor the reverse. */
const domain = Buffer.from('kronika commit\n', 'utf8')

const begin = Buffer.from('\nSvc-Signature: ', 'utf8')
const trailer = /^Svc-Signature: (.{1,200}) ([\w-]{86})\n$/u
const trailerBytesMax = 1024

const bytesToSign = (commit: Buffer): Buffer => Buffer.concat([domain, commit])

/**
 * The trailer with which a host signs a commit. It signs all bytes of the commit object before the trailer.
 */
export const signatureTrailer = (commit: Buffer, kid: string, key: KeyObject): string =>
  `Svc-Signature: ${kid} ${sign(null, bytesToSign(commit), key).toString('base64url')}\n`

/** The signature at the end of a commit object, unverified; null when there is none. */
export const signatureIn = (commit: Buffer): CommitSignature | null => {
  const at = commit.lastIndexOf(begin)
  if (at < 0 || commit.length - at > trailerBytesMax) return null
  const [, kid, text] = trailer.exec(commit.subarray(at + 1).toString('utf8')) ?? []
  return kid === undefined || text === undefined ? null : { kid, text, signed: commit.subarray(0, at + 1) }
}

/** Whether the signature was made with this published key. Does not check the time. */
export const isSignedWith = ({ text, signed }: CommitSignature, published: FleetKey): boolean => {
  const key = publicKeyOf(published)
  return key !== null && verify(null, bytesToSign(signed), key, Buffer.from(text, 'base64url'))
}

/** Whether a key counts for a commit of this time: a retired key counts until its end. */
export const isKeyOfTime = (published: FleetKey, committedMs: number): boolean =>
  committedMs <= endsMs(published)
