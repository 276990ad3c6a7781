import type { Either } from 'fp-ts/lib/Either.js'
import type { AuditLine } from '#protocol/events/audit.js'
import type { TokenRef } from '#protocol/identity/named-token.js'
import type { RefusalOf } from '#protocol/refusal.js'

/** Who mints or revokes a token: a Gracz, or the kind of the caller, and the named token that asked if one did. */
export interface TokenAsker {
  readonly name: string
  readonly token?: TokenRef | undefined
}

/** What a named token is to be; its set was checked against what its minter holds. */
export interface NamedTokenWanted {
  readonly name: string
  readonly capabilities: ReadonlyArray<string>
  /** Null: until it is revoked. */
  readonly expiresMs: number | null
  /** Who mints it: a Gracz, or the kind of the caller where there is none. */
  readonly by: string
  /** The named token that mints it; told to the audit stream alone. */
  readonly byToken?: TokenRef | undefined
}

/** A named token as this host keeps it (A 4.3, D40): everything but the token itself. */
export interface NamedToken extends NamedTokenWanted {
  /** Public: by it the token is listed and revoked. */
  readonly id: string
  readonly createdMs: number
}

/**
 * Named tokens on disk by the SHA-256 of each in lower-case hex. `line` is what the audit stream is owed (ADR 1012). A
 * call throws where the disk refuses.
 */
export interface NamedTokenStore {
  /** On disk when it returns. Forgets some that had expired when this one was made, and answers their hashes. */
  readonly keep: (hash: string, token: NamedToken, line: AuditLine) => ReadonlyArray<string>
  /** All that have not expired, oldest first. */
  readonly outstanding: (nowMs: number) => ReadonlyMap<string, NamedToken>
  /** Gone from the disk when it returns. */
  readonly forget: (id: string, line: AuditLine, nowMs: number) => void
}

/** The named tokens of this host, as handlers and operators may ask for them. */
export interface NamedTokens {
  /** What is answered is on disk; the token is told this once. */
  readonly mint: (
    wanted: NamedTokenWanted,
    nowMs: number,
  ) => Either<RefusalOf<'DiskRefused'>, { readonly token: string; readonly kept: NamedToken }>
  /** Those that are good, oldest first. */
  readonly list: (nowMs: number) => ReadonlyArray<NamedToken>
  /** `by` revokes it: gone from disk and memory when it returns. */
  readonly revoke: (id: string, by: TokenAsker, nowMs: number) => Either<RefusalOf<'DiskRefused'>, void>
}
