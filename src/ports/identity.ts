import type { KeyObject } from 'node:crypto'
import type { Either } from 'fp-ts/lib/Either.js'
import type { AuditLine } from '#protocol/host/events.js'
import type { SignatureDigest, TokenRef } from '#protocol/identity/sign-in.js'
import type { OnlinePlayer, PlayerKey } from '#protocol/lore/people.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { ChatSettings } from '#src/domain/identity/announcements.js'
import type { IdTokenRules } from '#src/domain/identity/credentials/id-token.js'
import type { GuildRoles } from './chat.js'

/** The claims of this host. The effect of a call is durable when it returns. Throws where the disk fails. */
export interface ClaimStore {
  /** Deletes the expired claims and stores one more. */
  readonly keep: (claim: Claim, nowMs: number) => void
  /**
   * Removes and returns a claim, to exactly one caller even when several ask at once; null if it is not
   * outstanding.
   */
  readonly take: (codeHash: string, nowMs: number) => Pick<Claim, 'sealed' | 'gameId'> | null
  readonly drop: (codeHash: string) => void
}

/** Creates api keys and hands them over (D39). */
export interface ApiKeys {
  /** Creates a key and stores it encrypted; it is unusable until its hash is committed. */
  readonly mint: (gameId: string, nowMs: number) => Either<RefusalOf<'DiskRefused'>, MintedKey>
  /** Deletes a key whose hash was not committed. */
  readonly withdraw: (code: string) => void
  /** Returns the key of a code, once; null for a code that is unknown, expired or used. */
  readonly claim: (
    code: string,
    nowMs: number,
  ) => Either<RefusalOf<'DiskRefused'>, { readonly key: string; readonly gameId: string } | null>
}

/** What a challenge is for: the `token` of a game envelope, or the `nonce` of an id token (D42). */
export type ChallengeKind = 'game' | 'chat'

/** A text that proves once that a sign-in was begun at this host. */
export interface Challenge {
  readonly text: string
  readonly expiresMs: number
}

/** The outstanding challenges of this host, of both kinds (A 4.3, D42). */
export interface Challenges {
  /**
   * Deletes the expired challenges and creates a new one; durable when it returns. At 512 outstanding it
   * first drops the oldest challenge of the network that holds most, if that network still holds no fewer
   * than the one that asks; otherwise it refuses.
   */
  readonly mint: (
    kind: ChallengeKind,
    network: string,
    nowMs: number,
  ) => Either<RefusalOf<'challenge_flood' | 'DiskRefused'>, Challenge>
  /**
   * Uses up an outstanding challenge: true to exactly one caller, even when several ask at once, and never
   * again after a crash (S31). False for a text that is not outstanding.
   */
  readonly burn: (
    kind: ChallengeKind,
    text: string,
    nowMs: number,
  ) => Either<RefusalOf<'DiskRefused'>, boolean>
  /** Whether a burn would succeed now. */
  readonly isOutstanding: (kind: ChallengeKind, text: string, nowMs: number) => boolean
  readonly count: (nowMs: number) => number
}

/** A public key with the one algorithm that it is used with (RFC 8725 3.1): the token never chooses it. */
export interface VerifyKey {
  readonly alg: 'EdDSA' | 'RS256'
  readonly key: KeyObject
}

/**
 * Whether this key verifies the signature of a compact JWS. Returns false for any other defect too, such as a
 * key type that does not fit the algorithm, or an RSA key of fewer than 2,048 bits. Never rejects.
 */
export type VerifyJws = (compact: string, key: VerifyKey) => Promise<boolean>

/** Signs claims as a compact JWS with the algorithm EdDSA. */
export type SignJws = (
  header: { readonly typ: string; readonly kid: string },
  claims: Readonly<Record<string, string | number>>,
) => Promise<string>

/**
 * The person whom a sign-in proved. `chatId` is the chat account that signed in, null for a sign-in through
 * the game.
 */
export interface SignedIn {
  readonly gameId: string
  readonly chatId: string | null
}

export interface MintedFleet {
  readonly token: string
  readonly expiresMs: number
}

/** The tokens of one sign-in, shown only once. `fleet` is null on a host that cannot mint fleet tokens. */
export interface Minted {
  readonly token: string
  readonly expiresMs: number
  readonly fleet: MintedFleet | null
}

/** Mints the tokens of a sign-in. They are durable when this resolves (D41, S34: as a hash). */
export type MintLogin = (who: SignedIn, nowMs: number) => Promise<Either<RefusalOf<'DiskRefused'>, Minted>>

/** Mints the fleet token of a sign-in; null on a host that cannot mint one. */
export type MintFleet = (who: SignedIn, nowMs: number) => Promise<MintedFleet | null>

/** Mints the token with which this host calls the other towns; null on a host that cannot mint one (D49). */
export type MintPeer = (nowMs: number) => Promise<string | null>

/** A login as this host stores it. */
export interface Login extends SignedIn {
  readonly createdMs: number
  readonly expiresMs: number
}

/**
 * Logins on disk, each under the SHA-256 of its token in lower-case hex. A call throws where the disk
 * refuses.
 */
export interface LoginStore {
  /**
   * Durable when it returns. Deletes some logins that had expired when this one was created, and returns
   * their hashes.
   */
  readonly keep: (hash: string, login: Login) => ReadonlyArray<string>
  /** All logins that have not expired. */
  readonly outstanding: (nowMs: number) => ReadonlyMap<string, Login>
}

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

/** A credential of this host. Conversion to text, JSON and `util.inspect` never show its value. */
export interface Secret {
  /** Returns the value. Only the code that sends or compares it calls this. */
  readonly reveal: () => string
}

export const secretOf = (value: string): Secret => ({ reveal: () => value })

/** The id tokens that signed a person in at this host and could be replayed: those without a nonce (D42). */
export interface ShownIdTokenStore {
  /**
   * Stores a token until it would be refused as expired; durable when it returns. Returns true to exactly one
   * caller, even when several show it at once, and never again after a crash. Throws what SQLite throws.
   */
  readonly keep: (text: string, refusedFromMs: number, nowMs: number) => boolean
}

/** Whether this host sees an id token for the first time. */
export type IsFirstShowing = (
  text: string,
  refusedFromMs: number,
  nowMs: number,
) => Either<RefusalOf<'DiskRefused'>, boolean>

/** How a sign-in ended: the label `result` of `svc_auth_attempts_total`. */
export type AttemptResult = 'accepted' | 'refused' | 'not_linked' | 'unknown_id' | 'unavailable'

/**
 * Reports how a sign-in ended. `refused`, for a bad credential, is also a line of the audit stream, or counts
 * in a line for several attempts; its reason is one of the fixed texts of the rules and never holds a part of
 * what was sent. `network` is the client's: refusals are grouped by it, and it is not written anywhere.
 */
export type TellAttempt = (
  method: 'game' | 'chat',
  result: AttemptResult,
  reason: string | null,
  network: string,
) => void

/** Whose keys: the game's one key, or the key set of the chat issuer. */
export type KeySource = 'game' | 'jwks'

/**
 * A public RSA key that sign-in is verified with. `kid` is null where its document has none, like the game's.
 */
export interface SignInKey {
  readonly kid: string | null
  readonly key: KeyObject
}

/** Why there is no key to verify with: no URL is configured, or no fetch succeeded and no key is cached. */
export interface KeysAway {
  readonly _tag: 'KeysAway'
  readonly why: 'unset' | 'unreachable'
}

/** The sign-in keys, cached for the configured time. Never rejects. */
export interface SignInKeys {
  /** The game's key: RSA of any size, so the verifier judges its strength (`isStrong`). */
  readonly game: () => Promise<Either<KeysAway, KeyObject>>
  /**
   * The issuer's strong RS256 keys with this `kid`, or all for null. An empty list means that the issuer does
   * not have the `kid`: it was asked again, unless it was asked for another unknown `kid` within 60 s.
   */
  readonly chat: (kid: string | null) => Promise<Either<KeysAway, ReadonlyArray<VerifyKey>>>
  /** A key that `chat` gave for this `kid` verified a token. */
  readonly verified: (kid: string | null) => void
}

/** How this host checks a payload that the game signed. */
export interface GameSignInRules {
  readonly digest: SignatureDigest
  /** Most seconds by which a signed time may be off, inclusive. */
  readonly skewS: number
  readonly requireChallenge: boolean
}

/** Game sign-in as this host is configured (A 4.3). */
export interface GameSignIn {
  /** Null: no key URL is configured, and game sign-in is off. */
  readonly rules: GameSignInRules | null
  readonly key: () => Promise<Either<unknown, KeyObject>>
}

/** Chat sign-in as this host is configured (A 4.3). */
export interface ChatSignIn {
  /**
   * The rules for id tokens; null: the configuration leaves a part of them empty, and chat sign-in is off.
   */
  readonly rules: IdTokenRules | null
  readonly keysBy: SignInKeys['chat']
  readonly verified: SignInKeys['verified']
  readonly verify: VerifyJws
}

/** What sign-in, tokens and the workflows by chat use of this host (A 4.3, A 4.4). */
export interface IdentityPorts {
  /** Outstanding challenges of sign-in, on this host (A 4.3). */
  readonly challenges: Challenges
  /** Mints the tokens of a sign-in (A 4.3). */
  readonly mintLogin: MintLogin
  /** Called at the end of every sign-in. */
  readonly attempted: TellAttempt
  readonly gameSignIn: GameSignIn
  readonly chatSignIn: ChatSignIn
  /** Asked for an id token without a nonce, just before it opens a session (D42). */
  readonly isFirstShowing: IsFirstShowing
  readonly namedTokens: NamedTokens
  readonly apiKeys: ApiKeys
  /** The chat settings of the configuration. */
  readonly chat: ChatSettings
  /** Roles of the guild, for the by-chat workflows (A 4.4). */
  readonly guildRoles: GuildRoles
}

/** What the world's roster says about a player who is not in the ledger of players. */
export type OnlineAnswer =
  | { readonly _tag: 'Online'; readonly player: OnlinePlayer }
  /** `isRemembered`: an earlier fetch did not have the player either, so none was made for this question. */
  | { readonly _tag: 'Absent'; readonly isRemembered: boolean }
  /** The fetches of the sliding hour are used up: those of the host, or the share of who asks. */
  | { readonly _tag: 'Exhausted'; readonly of: 'host' | 'person'; readonly retryAfterMs: number }
  /** The roster could not be fetched, now or a moment ago, or too many ask at once. */
  | { readonly _tag: 'Away' }
  /** The disk refuses to record the fetch, so none was made. `code` is that of SQLite. */
  | { readonly _tag: 'DiskRefused'; readonly code: string }

/** Asks the roster of the world for a player; `person` is who asks, null for a bot. Never rejects. */
export type AskRoster = (sought: PlayerKey, person: string | null) => Promise<OnlineAnswer>

/** How a question for a player was answered; the labels of its metric. */
export type ResolveResult =
  | 'recorded'
  | 'online'
  | 'absent'
  | 'remembered'
  | 'exhausted'
  | 'disk_refused'
  | 'away'
  | 'disabled'

/** Finds players who are online. */
export interface OnlinePlayers {
  /** Null where no roster is configured. */
  readonly askRoster: AskRoster | null
  /** Called for every answered question, for the metric. */
  readonly resolved: (result: ResolveResult) => void
}

/** The most fetches of one person in an hour: half of all, so that one person cannot use up all. */
export const rosterShareOf = (perHour: number): number => Math.max(1, Math.floor(perHour / 2))

/** The fetches of the roster in the last hour, which outlive the process. Throws where the disk refuses. */
export interface RosterFetches {
  /** `person` is whose share it is taken from as well; null for a bot, which has the whole budget. */
  readonly take: (perHour: number, nowMs: number, person: string | null) => FetchVerdict
  /** Gives back a taken fetch, which failed. */
  readonly giveBack: (fetch: number) => void
  /** Number of fetches in the hour before `nowMs`. */
  readonly count: (nowMs: number) => number
}

/** An api key that waits to be claimed on this host, encrypted under its code. */
interface Claim {
  readonly codeHash: string
  readonly sealed: string
  readonly gameId: string
  readonly expiresMs: number
}

/** A new api key: `hash` may be committed; `code` is shown once and stored nowhere. */
interface MintedKey {
  readonly hash: string
  readonly code: string
  readonly expiresMs: number
}

/** Whether a fetch may be made now. A taken one is recorded before this returns, and is on disk. */
type FetchVerdict =
  | { readonly _tag: 'Taken'; readonly fetch: number }
  | Extract<OnlineAnswer, { readonly _tag: 'Exhausted' }>
