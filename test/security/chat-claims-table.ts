import { tokenWithClaims } from '#test/support/identity/forged-tokens.js'
import { clientId, issuer } from '#test/support/identity/id-tokens.js'
import { type ChatTable, rowOfRefusedToken } from './chat-row.js'

const iss = '`iss` is not the issuer of this host'
const aud = '`aud` is not this client alone'
const exp = '`exp` is not a time'

const soon = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

/** Beyond the skew of a minute. */
const future = 120

export const chatClaims: ChatTable = {
  title: 'claims of the id token',
  rows: [
    rowOfRefusedToken('4.1.34', 'another iss', iss, () =>
      tokenWithClaims({ iss: 'https://attacker.example' }),
    ),
    rowOfRefusedToken('4.1.35', 'iss with a slash at its end', iss, () =>
      tokenWithClaims({ iss: `${issuer}/` }),
    ),
    rowOfRefusedToken('4.1.36', 'no iss', iss, () => tokenWithClaims({ iss: undefined })),
    rowOfRefusedToken('4.1.37', 'another aud', aud, () => tokenWithClaims({ aud: 'attacker' })),
    rowOfRefusedToken('4.1.38', 'no aud', aud, () => tokenWithClaims({ aud: undefined })),
    rowOfRefusedToken('4.1.39', 'aud with ours and an untrusted one, no azp', aud, () =>
      tokenWithClaims({ aud: [clientId, 'attacker'] }),
    ),
    rowOfRefusedToken('4.1.40', 'another azp', '`azp` is another client', () =>
      tokenWithClaims({ azp: 'attacker' }),
    ),
    rowOfRefusedToken('4.1.41', 'exp past', 'it has expired', () => tokenWithClaims({ exp: soon(-future) })),
    rowOfRefusedToken('4.1.42', 'no exp', exp, () => tokenWithClaims({ exp: undefined })),
    rowOfRefusedToken('4.1.43', 'exp a text', exp, () => tokenWithClaims({ exp: String(soon(300)) })),
    rowOfRefusedToken('4.1.44', 'exp 1e308', exp, () => tokenWithClaims({ exp: 1e308 })),
    rowOfRefusedToken('4.1.45a', 'iat in the future', '`iat` is in the future', () =>
      tokenWithClaims({ iat: soon(future) }),
    ),
    rowOfRefusedToken('4.1.45b', 'nbf in the future', '`nbf` is in the future', () =>
      tokenWithClaims({ nbf: soon(future) }),
    ),
    rowOfRefusedToken('4.1.46', 'no sub', '`sub` is empty or not a text', () =>
      tokenWithClaims({ sub: undefined }),
    ),
  ],
}
