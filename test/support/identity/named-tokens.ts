import { right } from 'fp-ts/lib/Either.js'
import type { NamedToken, NamedTokens } from '#src/ports/identity.js'

/** A named token that always exists, for rows that need one. */
export const standingToken: NamedToken = {
  id: '0123456789abcdef',
  name: 'bot wydarzeń',
  capabilities: ['entity.read'],
  createdMs: Date.parse('2026-06-01T10:00:00Z'),
  expiresMs: null,
  by: 'machine',
}

/** Named tokens without a store: a minted token is not remembered, a revoked one stays. */
export const unkeptTokens: NamedTokens = {
  mint: (wanted, nowMs) =>
    right({
      token: `named_${standingToken.id}.of-the-tests`,
      kept: { ...wanted, id: standingToken.id, createdMs: nowMs },
    }),
  list: () => [standingToken],
  revoke: () => right(undefined),
}
