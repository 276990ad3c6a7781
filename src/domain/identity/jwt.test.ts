import { deepEqual, equal } from 'node:assert/strict'
import { either } from 'fp-ts'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { readJwt } from './credentials/tokens.js'

const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64url')

const jwt = (header: string | Buffer, claims: string | Buffer, signature = 'AAAA'): string =>
  `${encode(header)}.${encode(claims)}.${signature}`

/** Another text of the same bytes: the bits that no byte has are not zero. */
const loose = (text: string): string => {
  const canonical = encode(text)
  const other = `${canonical.slice(0, -1)}${String.fromCharCode(canonical.charCodeAt(canonical.length - 1) + 1)}`
  equal(Buffer.from(other, 'base64url').toString(), text)
  return other
}

const fine = '{"alg":"EdDSA","kid":"a.1","typ":"x"}'

describe('a compact JWT', () => {
  it('is read as header and claims', () => {
    const read = readJwt(jwt(fine, '{"sub":"7","aud":["a"],"exp":1.5}'))
    if (isLeft(read)) throw new Error(read.left)
    deepEqual(read.right.header, { alg: 'EdDSA', kid: 'a.1', typ: 'x' })
    deepEqual({ ...read.right.claims }, { sub: '7', aud: ['a'], exp: 1.5 })
  })

  const refused: ReadonlyArray<readonly [name: string, text: string, why: string]> = [
    ['nothing', '', 'it is not three parts of base64url'],
    ['two parts', `${encode(fine)}.${encode('{}')}`, 'it is not three parts of base64url'],
    ['no signature', jwt(fine, '{}', ''), 'it is not three parts of base64url'],
    ['five parts, as a JWE has', `${jwt(fine, '{}')}.AAAA.AAAA`, 'it is not three parts of base64url'],
    ['the JSON serialization', '{"payload":"e30"}', 'it is not three parts of base64url'],
    ['a blank', ` ${jwt(fine, '{}')}`, 'it is not three parts of base64url'],
    ['a newline at its end', `${jwt(fine, '{}')}\n`, 'it is not three parts of base64url'],
    ['padding', jwt(fine, '{}', 'AAA='), 'it is not three parts of base64url'],
    ['16 KiB and more', jwt(fine, '{}', 'A'.repeat(16_384)), 'it is longer than 16384 characters'],
    ['a header that is no JSON', jwt('x', '{}'), 'its header is not a JSON object with `alg`'],
    ['a header without alg', jwt('{"typ":"x"}', '{}'), 'its header is not a JSON object with `alg`'],
    ['an alg that is no text', jwt('{"alg":["EdDSA"]}', '{}'), 'its header is not a JSON object with `alg`'],
    ['a kid that is no text', jwt('{"alg":"a","kid":1}', '{}'), 'its header is not a JSON object with `alg`'],
    ['a header as a list', jwt('[]', '{}'), 'its header is not a JSON object with `alg`'],
    ['alg twice', jwt('{"alg":"none","alg":"EdDSA"}', '{}'), 'its header is not a JSON object with `alg`'],
    ['claims that are no object', jwt(fine, '[]'), 'its claims are not a JSON object'],
    ['a claim twice', jwt(fine, '{"sub":"1","sub":"2"}'), 'its claims are not a JSON object'],
    ['__proto__', jwt(fine, '{"__proto__":{}}'), 'its claims are not a JSON object'],
    [
      'claims that are not UTF-8',
      jwt(fine, Buffer.from('7bff7d', 'hex')),
      'its claims are not a JSON object',
    ],
    ['a byte order mark', jwt(fine, Buffer.from('efbbbf7b7d', 'hex')), 'its claims are not a JSON object'],
    [
      'unused bits in a header',
      `${loose('{"alg":"a"}')}.e30.AAAA`,
      'its header is not a JSON object with `alg`',
    ],
    ['unused bits in claims', `${encode(fine)}.${loose('{}')}.AAAA`, 'its claims are not a JSON object'],
    ['unused bits in a signature', jwt(fine, '{}', 'AAB'), 'its signature is not canonical base64url'],
    ['a signature of one letter', jwt(fine, '{}', 'A'), 'its signature is not canonical base64url'],
    ...['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64'].map(
      name => [name, jwt(`{"alg":"EdDSA","${name}":["exp"]}`, '{}'), `its header has \`${name}\``] as const,
    ),
  ]
  for (const [name, text, why] of refused) {
    it(`is none with ${name}`, () => deepEqual(readJwt(text), either.left(why)))
  }
})
