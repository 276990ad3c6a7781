import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type {
  NamedTokenList,
  NamedTokenMinted,
  NamedTokenRevoked,
  NamedTokenRow,
  NamedTokenWish,
} from '#protocol/sign-in.js'
import { freezeSet } from '#src/domain/identity/private-keys.js'
import type { NamedToken, NamedTokens, NamedTokenWanted, TokenAsker } from '#src/ports/identity.js'

/** The asker of a named token; `holds` bounds the capabilities that it may freeze. */
export interface Minter extends TokenAsker {
  readonly holds: ReadonlySet<string>
}

export const instantOrNull = (ms: number | null) => (ms === null ? null : instantOf(ms))

const rowOf = ({ id, name, capabilities, createdMs, expiresMs, by }: NamedToken): NamedTokenRow => ({
  id,
  name,
  capabilities,
  created: instantOf(createdMs),
  expires: instantOrNull(expiresMs),
  by,
})

/** The named token that a request asks for, or why its minter may not have it. */
export const planNamedToken = (
  { name, capabilities, expiresIn }: NamedTokenWish,
  minter: Minter,
  nowMs: number,
): Either<RefusalOf<'ValueRefused' | 'Forbidden'>, NamedTokenWanted> =>
  map(
    (frozen: ReadonlyArray<string>): NamedTokenWanted => ({
      name,
      capabilities: frozen,
      expiresMs: expiresIn === undefined ? null : nowMs + expiresIn * 1000,
      by: minter.name,
      ...(minter.token === undefined ? {} : { byToken: minter.token }),
    }),
  )(freezeSet(minter.holds, capabilities))

/** Mints a named token. Only this answer ever contains the token. */
export const mintNamedToken = (
  tokens: NamedTokens,
  wanted: NamedTokenWanted,
  nowMs: number,
): Either<RefusalOf<'DiskRefused'>, NamedTokenMinted> =>
  map(({ token, kept }: { readonly token: string; readonly kept: NamedToken }) => ({
    token,
    ...rowOf(kept),
  }))(tokens.mint(wanted, nowMs))

export const listNamedTokens = (tokens: NamedTokens, nowMs: number): NamedTokenList => {
  const items = tokens.list(nowMs).map(rowOf)
  return { count: items.length, items }
}

/** Revokes a token by its public id; a dry run only checks that it exists. */
export const revokeNamedToken = (
  tokens: NamedTokens,
  id: string,
  by: TokenAsker,
  nowMs: number,
  dryRun: boolean,
): Either<RefusalOf<'TokenNotFound' | 'DiskRefused'>, NamedTokenRevoked> => {
  const found = tokens.list(nowMs).find(token => token.id === id)
  if (found === undefined)
    return left(
      refuse('TokenNotFound', 'This host has no named token with that id. GET /tokens lists the ids.'),
    )
  const { name } = found
  if (dryRun) return right({ id, name, revoked: false })
  const gone = tokens.revoke(id, by, nowMs)
  return isLeft(gone) ? gone : right({ id, name, revoked: true })
}
