import type { Either } from 'fp-ts/lib/Either.js'
import type { Adoption, adoptionRefusals } from '#protocol/admin/adoption.js'
import type { Blocker } from '#protocol/discovery/blocked.js'
import type { Mode } from '#protocol/discovery/mode.js'
import type { JobEnvelope, JobKind } from '#protocol/jobs/job.js'
import type { ConvergeLint } from '#protocol/places/lint.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { SyncAction } from '#protocol/sync/action.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import type { IsVerified } from '#src/domain/audit/verified-commits.js'
import type { ChatSettings } from '#src/domain/identity/links/self-report.js'
import type { History } from '#src/ports/git/history.js'
import type { ApiKeyDesk } from '#src/ports/identity/api-keys.js'
import type { Challenges } from '#src/ports/identity/challenges.js'
import type { GuildRoles } from '#src/ports/identity/guild-roles.js'
import type { MintLogin } from '#src/ports/identity/logins.js'
import type { NamedTokens } from '#src/ports/identity/named-tokens.js'
import type { IsFirstShowing } from '#src/ports/identity/shown-id-tokens.js'
import type { TellAttempt } from '#src/ports/identity/sign-in-attempts.js'
import type { EventFeed } from '#src/ports/records/events.js'
import type { Job, JobRun, TellProgress } from '#src/ports/records/jobs.js'
import type { ReadLogs } from '#src/ports/records/streams.js'
import type { Admits, WriteActor, WriteOrigin } from '#src/writing/write-plan.js'
import type { GameSignIn } from '../credentials/game-sign-in.js'
import type { ChatSignIn } from '../credentials/id-token.js'

export interface SyncView {
  readonly enabled: boolean
  readonly publishMode: 'push' | 'mr' | 'none'
  readonly intervalMinutes: number
  readonly stale: boolean
  readonly staleAfterMinutes: number
  readonly lastConvergeOkMs: number | null
  readonly lastAction: SyncAction | null
  /** What git or the host said of a converge that failed; without credentials. */
  readonly lastDetail: string | null
  /** Whether the lore is a git repository. */
  readonly git: boolean
  /** Address of the remote without credentials. */
  readonly remote: string | null
  /** Commits here that the remote was not seen to have; null before it was ever seen. */
  readonly unpublished: number | null
  readonly parked: ReadonlyArray<{ readonly ref: string; readonly commit: string }>
}

/** The jobs of this host (A 2.1, D33). */
export interface JobsView {
  /** Makes a job of the work; resolves when it is on disk, before it is begun. */
  readonly start: (kind: JobKind, run: JobRun) => Promise<Either<RefusalOf<'Overloaded'>, JobEnvelope>>
  readonly find: (id: string) => Job | null
}

type AskerGone = 'Unauthorized' | 'Forbidden'

type AdoptRefusal = RefusalOf<(typeof adoptionRefusals)[number] | AskerGone>

type Adopting<R> = (
  dryRun: boolean,
  origin: WriteOrigin,
  admits: Admits,
  progress?: TellProgress,
) => Promise<Either<R, Adoption>>

/** What handlers may ask of the node beside the snapshot. Fields are read at the moment of the request. */
export interface NodeView {
  readonly version: string
  /** Tells this build from every other, also of the same version. */
  readonly build: string
  readonly bootId: string
  readonly bootMs: number
  readonly pid: number
  readonly town: string
  readonly mode: () => Mode
  /** Why the host is read-only; null while it takes writes. */
  readonly modeReason: () => string | null
  /** What blocks writes, or will, as last observed; kept in memory. */
  readonly blockers: () => ReadonlyArray<Blocker>
  /** Whether the repository was moved, removed or replaced. */
  readonly isGone: () => boolean
  /** Why HEAD cannot be loaded; null where it can (D63). */
  readonly staleReason: () => string | null
  /** Sets the mode behind every write that was asked before; resolves when those are settled (S18). */
  readonly setMode: (
    mode: Mode,
    actor: WriteActor,
    admits: Admits,
  ) => Promise<Either<RefusalOf<'NoRepository' | 'DiskRefused' | 'Overloaded' | AskerGone>, Mode>>
  /** Begins to end the process as SIGTERM does; requests under way are answered. */
  readonly shutdown: () => void
  readonly requestCount: () => number
  readonly memory: () => {
    readonly rssBytes: number
    readonly heapUsedBytes: number
    readonly heapLimitBytes: number
    readonly majorGcs: number
  } | null
  readonly contract: {
    readonly version: string | null
    readonly sha: string | null
    readonly agent: string | null
  }
  readonly imageDigest: string
  /** Convergence with the remote (A 2.8); ages and intervals in minutes. */
  readonly sync: () => SyncView
  /** Runs one converge that begins after the call; answers how it ended (A 4.5). */
  readonly converge: () => Promise<
    Either<RefusalOf<'SyncDisabled' | 'Overloaded'>, Pick<SyncView, 'lastAction' | 'lastDetail'>>
  >
  /** The lint as the last converge recorded it; null where none did (D35). */
  readonly recordedLint: () => ConvergeLint | null
  readonly readers: { readonly threads: number; readonly live: () => number }
  /** Events of this host, live and kept (A 6). */
  readonly events: EventFeed
  readonly logs: ReadLogs
  readonly jobs: JobsView
  /** Outstanding challenges of sign-in, on this host (A 4.3). */
  readonly challenges: Challenges
  /** The commits behind the served one; null on a plain directory. */
  readonly history: History | null
  /** Whether the trailers of a commit are true. */
  readonly isVerified: IsVerified
  /** Game sign-in as this host is configured. */
  readonly gameSignIn: GameSignIn
  /** Mints the tokens of a sign-in (A 4.3). */
  readonly mintLogin: MintLogin
  readonly namedTokens: NamedTokens
  /** Makes api keys and hands them over (D39). */
  readonly apiKeys: ApiKeyDesk
  /** Chat sign-in as this host is configured. */
  readonly chatSignIn: ChatSignIn
  /** Asked of an id token without a nonce, once it is to open a session (D42). */
  readonly isFirstShowing: IsFirstShowing
  /** Told of how every sign-in ended. */
  readonly attempted: TellAttempt
  /** What the configuration says of the chat. */
  readonly chat: ChatSettings
  /** Roles of the guild, for the by-chat workflows (A 4.4). */
  readonly guildRoles: GuildRoles
  /** Adoption of a legacy repository through the write gate (A 4.5); its arms are not asked (A 4.1.3). */
  readonly adopt: Adopting<AdoptRefusal>
  /** The same for a row that commits: the arms are asked again when its turn comes (D28, S18). */
  readonly reindex: Adopting<AdoptRefusal | GateRefusal>
}
