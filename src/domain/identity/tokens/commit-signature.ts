import { type KeyObject, sign, verify } from 'node:crypto'
import { endsMs, type FleetKey, publicKeyOf } from './fleet-keys.js'

/** A signature that a commit ends with, as it is written: by which key, its base64url text, and the bytes before it. */
export interface CommitSignature {
  readonly kid: string
  readonly text: string
  readonly signed: Buffer
}

/** Goes before what is signed, so that no signature of a commit is one of a token, and the other way round. */
const domain = Buffer.from('kronika commit\n', 'utf8')

const begin = Buffer.from('\nSvc-Signature: ', 'utf8')
const trailer = /^Svc-Signature: (.{1,200}) ([\w-]{86})\n$/u
const trailerBytesMax = 1024

const signedBytes = (commit: Buffer): Buffer => Buffer.concat([domain, commit])

/** The trailer with which a host signs a commit: over all bytes of the commit object that come before the trailer. */
export const signatureTrailer = (commit: Buffer, kid: string, key: KeyObject): string =>
  `Svc-Signature: ${kid} ${sign(null, signedBytes(commit), key).toString('base64url')}\n`

/** The signature that a commit object ends with; null where it ends otherwise. It is not verified. */
export const signatureIn = (commit: Buffer): CommitSignature | null => {
  const at = commit.lastIndexOf(begin)
  if (at < 0 || commit.length - at > trailerBytesMax) return null
  const [, kid, text] = trailer.exec(commit.subarray(at + 1).toString('utf8')) ?? []
  return kid === undefined || text === undefined ? null : { kid, text, signed: commit.subarray(0, at + 1) }
}

/** Whether the signature is one of this published key. Its time is not looked at. */
export const isSignedWith = ({ text, signed }: CommitSignature, published: FleetKey): boolean => {
  const key = publicKeyOf(published)
  return key !== null && verify(null, signedBytes(signed), key, Buffer.from(text, 'base64url'))
}

/** Whether a key vouches for what was committed at this moment: a retired one does until its end. */
export const isKeyOfTime = (published: FleetKey, committedMs: number): boolean =>
  committedMs <= endsMs(published)
