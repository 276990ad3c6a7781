import type { KeyObject } from 'node:crypto'
import { CompactSign, compactVerify } from 'jose'
import type { SignJws, VerifyJws } from '#src/ports/identity.js'

/** Signs with the private Ed25519 key of this host. */
export const ed25519Signer =
  (key: KeyObject): SignJws =>
  ({ typ, kid }, claims) =>
    new CompactSign(Buffer.from(JSON.stringify(claims), 'utf8'))
      .setProtectedHeader({ alg: 'EdDSA', typ, kid })
      .sign(key)

/** Verifies with the algorithm of the key only; of the token's header it reads only `alg`. */
export const verifyJws: VerifyJws = async (compact, { alg, key }) => {
  try {
    await compactVerify(compact, key, { algorithms: [alg] })
    return true
  } catch {
    return false
  }
}
