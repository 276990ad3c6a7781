import { type KeyObject, verify } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { GameEnvelope, SignatureDigest } from '#protocol/identity/sign-in.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { isStrong } from './key-documents.js'

/** A signed payload with valid parts and a time within the window; its signature is not verified yet. */
export interface OpenedEnvelope {
  readonly userId: string
  readonly token: string
  readonly signed: Buffer
  readonly signature: Buffer
}

export type EnvelopeRefusal = RefusalOf<
  | 'EnvelopeIncomplete'
  | 'SignedPartInvalid'
  | 'TimestampInvalid'
  | 'TimestampOutOfWindow'
  | 'SignatureMissing'
  | 'SignatureMalformed'
>

/** Checks everything of an envelope except its signature (A 4.3, D41). `skewS` is inclusive. */
export const checkEnvelope = (
  { user_id: userId = '', token = '', ts, signatureBase64 }: GameEnvelope,
  skewS: number,
  nowMs: number,
): Either<EnvelopeRefusal, OpenedEnvelope> => {
  if (userId === '' || token === '')
    return left(
      refuse(
        'EnvelopeIncomplete',
        'A field is missing. Send `user_id`, `token`, `ts` and `signatureBase64`.',
      ),
    )
  const bad = partRefusal(userId) ?? partRefusal(token)
  if (bad !== null) return left(bad)
  const seconds = secondsOf(ts)
  if (seconds === null)
    return left(
      refuse('TimestampInvalid', '`ts` must be whole seconds since 1970, as a number or its digits.'),
    )
  if (Math.abs(Math.floor(nowMs / 1000) - Number(seconds)) > skewS)
    return left(refuse('TimestampOutOfWindow', `\`ts\` is more than ${skewS} s from now. Sign in again.`))
  const signature = signatureOf(signatureBase64)
  if (isLeft(signature)) return signature
  const signed = Buffer.from([userId, token, seconds].join(separator), 'utf8')
  return right({ userId, token, signed, signature: signature.right })
}

/** Verifies the game's signature of the envelope: RSASSA-PKCS1-v1_5 with this digest. Refuses a weak key. */
export const verifyEnvelope = (
  key: KeyObject,
  digest: SignatureDigest,
  { signed, signature }: OpenedEnvelope,
): Either<RefusalOf<'SigningKeyWeak' | 'SignatureInvalid'>, void> => {
  if (!isStrong(key))
    return left(refuse('SigningKeyWeak', 'The key of the game has less than 2048 bits or a bad exponent.'))
  return verify(digest, signed, key, signature)
    ? right(undefined)
    : left(refuse('SignatureInvalid', 'The key of the game did not sign these parts.'))
}

/** Separates the signed parts; inside a part it would shift the others. */
const separator = '+'
const partCharsMax = 1_000
/** Length of an RSA signature of 8192 bits in base64. */
const signatureCharsMax = 1_368

const secondsText = /^(?:0|[1-9]\d{0,15})$/

/** Whole seconds in the form that was signed; null for any other number or text. */
const secondsOf = (ts: number | string | undefined): string | null => {
  const text = typeof ts === 'number' ? String(ts) : ts
  return text !== undefined && secondsText.test(text) && Number.isSafeInteger(Number(text)) ? text : null
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * The bytes of canonical standard base64; null for another alphabet or for a second text of the same bytes.
 */
const bytesOf = (text: string): Buffer | null => {
  if (text.length > signatureCharsMax || !base64.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

const signatureOf = (
  text: string | undefined,
): Either<RefusalOf<'SignatureMissing' | 'SignatureMalformed'>, Buffer> => {
  if (text === undefined || text === '')
    return left(
      refuse('SignatureMissing', 'The signature is missing. Send `signatureBase64` as the game returned it.'),
    )
  const bytes = bytesOf(text)
  return bytes === null
    ? left(
        refuse('SignatureMalformed', '`signatureBase64` must be canonical base64 of the standard alphabet.'),
      )
    : right(bytes)
}

const partRefusal = (part: string): RefusalOf<'SignedPartInvalid'> | null =>
  part.includes(separator) || part.length > partCharsMax
    ? refuse('SignedPartInvalid', `A signed part may have no \`+\` and at most ${partCharsMax} characters.`)
    : null
