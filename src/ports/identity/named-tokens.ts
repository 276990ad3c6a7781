import type { Either } from 'fp-ts/lib/Either.js'
import type { AuditLine } from '#protocol/events.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { TokenRef } from '#protocol/sign-in.js'

/**
 * Who mints or revokes a token: the name of a Gracz or the kind of the caller, and the named token that
 * asked, if one did.
 */
export interface TokenAsker {
  readonly name: string
  readonly token?: TokenRef | undefined
}

/** The named token to mint. The caller has checked its set against what the minter holds. */
export interface NamedTokenWanted {
  readonly name: string
  readonly capabilities: ReadonlyArray<string>
  /** Null: valid until revoked. */
  readonly expiresMs: number | null
  /** The minter: the name of a Gracz, or the kind of the caller where there is none. */
  readonly by: string
  /** The named token that mints it; only the audit stream shows it. */
  readonly byToken?: TokenRef | undefined
}

/** A named token as this host stores it (A 4.3, D40): everything but the token itself. */
export interface NamedToken extends NamedTokenWanted {
  /** Public id, by which the token is listed and revoked. */
  readonly id: string
  readonly createdMs: number
}

/**
 * Named tokens on disk, by the SHA-256 of each in lower-case hex. `line` is the audit line that is owed
 * (ADR 1012). A call throws where the disk refuses.
 */
export interface NamedTokenStore {
  /**
   * Durable when it returns. Deletes some tokens that had expired when this one was created, and returns
   * their hashes.
   */
  readonly keep: (hash: string, token: NamedToken, line: AuditLine) => ReadonlyArray<string>
  /** All tokens that have not expired, oldest first. */
  readonly outstanding: (nowMs: number) => ReadonlyMap<string, NamedToken>
  /** Deletes the token; durable when it returns. */
  readonly forget: (id: string, line: AuditLine, nowMs: number) => void
}

/** The named tokens of this host, for handlers and operators. */
export interface NamedTokens {
  /** Mints a token that is durable when this returns. The token itself is shown only here. */
  readonly mint: (
    wanted: NamedTokenWanted,
    nowMs: number,
  ) => Either<RefusalOf<'DiskRefused'>, { readonly token: string; readonly kept: NamedToken }>
  /** The valid tokens, oldest first. */
  readonly list: (nowMs: number) => ReadonlyArray<NamedToken>
  /** Revokes a token on behalf of `by`: deleted from disk and memory when it returns. */
  readonly revoke: (id: string, by: TokenAsker, nowMs: number) => Either<RefusalOf<'DiskRefused'>, void>
}
