import { claiming } from '#test/support/identity/forged-tokens.js'
import { clientId, issuer } from '#test/support/identity/id-tokens.js'
import { type ChatTable, refusedToken } from './chat-row.js'

const iss = '`iss` is not the issuer of this host'
const aud = '`aud` is not this client alone'
const exp = '`exp` is not a time'

const soon = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

/** Beyond the skew of a minute. */
const future = 120

export const chatClaims: ChatTable = {
  title: 'claims of the id token',
  rows: [
    refusedToken('4.1.34', 'another iss', iss, () => claiming({ iss: 'https://attacker.example' })),
    refusedToken('4.1.35', 'iss with a slash at its end', iss, () => claiming({ iss: `${issuer}/` })),
    refusedToken('4.1.36', 'no iss', iss, () => claiming({ iss: undefined })),
    refusedToken('4.1.37', 'another aud', aud, () => claiming({ aud: 'attacker' })),
    refusedToken('4.1.38', 'no aud', aud, () => claiming({ aud: undefined })),
    refusedToken('4.1.39', 'aud with ours and an untrusted one, no azp', aud, () =>
      claiming({ aud: [clientId, 'attacker'] }),
    ),
    refusedToken('4.1.40', 'another azp', '`azp` is another client', () => claiming({ azp: 'attacker' })),
    refusedToken('4.1.41', 'exp past', 'it has expired', () => claiming({ exp: soon(-future) })),
    refusedToken('4.1.42', 'no exp', exp, () => claiming({ exp: undefined })),
    refusedToken('4.1.43', 'exp a text', exp, () => claiming({ exp: String(soon(300)) })),
    refusedToken('4.1.44', 'exp 1e308', exp, () => claiming({ exp: 1e308 })),
    refusedToken('4.1.45a', 'iat in the future', '`iat` is in the future', () =>
      claiming({ iat: soon(future) }),
    ),
    refusedToken('4.1.45b', 'nbf in the future', '`nbf` is in the future', () =>
      claiming({ nbf: soon(future) }),
    ),
    refusedToken('4.1.46', 'no sub', '`sub` is empty or not a text', () => claiming({ sub: undefined })),
  ],
}
