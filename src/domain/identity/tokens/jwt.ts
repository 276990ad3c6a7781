import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { readJson } from '#src/domain/json/json-text.js'

/** A parsed JWT. Its signature is not verified, so nothing of it may be trusted. */
export interface Jwt {
  readonly header: {
    readonly alg: string
    readonly kid: string | null
    readonly typ: string | null
  }
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * Longest accepted token. Tokens of sign-in are below 4 KB; parsing longer ones would let a sender waste
 * time.
 */
const charsMax = 16_384

const compact = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/**
 * Header parameters that bring a key or change what is signed; valid tokens have none of them (RFC 8725
 * 3.10).
 */
const refusedParameters = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64']

const Header = t.intersection([
  t.type({ alg: t.string }),
  t.partial({ kid: t.string, typ: t.string }),
  t.UnknownRecord,
])

/**
 * The bytes of a part; null when the text is not the canonical one for its bytes (unused bits that are not
 * zero).
 */
const bytesOf = (part: string): Buffer | null => {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : null
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const textOf = (bytes: Buffer): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

const objectOf = (part: string): Readonly<Record<string, unknown>> | null => {
  const bytes = bytesOf(part)
  const text = bytes === null ? null : textOf(bytes)
  const json = text === null ? null : readJson(text)
  return json !== null && !isLeft(json) && t.UnknownRecord.is(json.right) && !Array.isArray(json.right)
    ? json.right
    : null
}

/**
 * Parses a compact JWS of a JWT (RFC 7519) strictly: three parts of canonical base64url, header and claims as
 * UTF-8 JSON objects without repeated keys, and no header parameter that brings a key. Left says why not and
 * contains no value.
 */
export const readJwt = (text: string): Either<string, Jwt> => {
  if (text.length > charsMax) return left(`it is longer than ${charsMax} characters`)
  if (!compact.test(text)) return left('it is not three parts of base64url')
  const [head = '', body = '', signature = ''] = text.split('.')
  const header = Header.decode(objectOf(head))
  if (isLeft(header)) return left('its header is not a JSON object with `alg`')
  const brought = refusedParameters.find(name => name in header.right)
  if (brought !== undefined) return left(`its header has \`${brought}\``)
  if (bytesOf(signature) === null) return left('its signature is not canonical base64url')
  const claims = objectOf(body)
  if (claims === null) return left('its claims are not a JSON object')
  const { alg, kid = null, typ = null } = header.right
  return right({ header: { alg, kid, typ }, claims })
}
