import * as t from 'io-ts'

/** Digests allowed for game sign-in (`integrations.game.signature_digest`). */
export const SignatureDigest = t.keyof({ sha256: null, sha384: null, sha512: null }, 'SignatureDigest')
export type SignatureDigest = t.TypeOf<typeof SignatureDigest>

/**
 * The signed payload of `POST /auth/game` (A 2.2): an RSA signature over `user_id`, `token` and `ts`, joined
 * by `+`. `ts` is whole seconds (D41). All parts are optional here, so that a missing one is a 401 that names
 * it instead of a bad body.
 */
export const GameEnvelope = t.readonly(
  t.partial({
    user_id: t.string,
    token: t.string,
    ts: t.union([t.number, t.string]),
    signatureBase64: t.string,
  }),
  'GameEnvelope',
)
export type GameEnvelope = t.TypeOf<typeof GameEnvelope>
