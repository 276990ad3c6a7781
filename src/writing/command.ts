import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { BlobId, CommitId, type FurtherTree, RepoPath, Tree } from '#protocol/atoms.js'
import type { JobEnvelope, JobKind } from '#protocol/host/jobs.js'
import { TokenRef } from '#protocol/identity/sign-in.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { AnswerOf, BodyOf, PathOf, QueryOf, Route, Table } from '#protocol/route.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { PlainData } from '#src/domain/codecs/plain-data.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * Commands to the write gate, as values. The same command can come from HTTP, the chat, the command line or a
 * timer. Its codec accepts no function, so it can be compared, copied and replayed.
 */

/** The origin of a command. A bearer token is a secret: no log, record or answer may contain a command. */
export const Asker = t.union(
  [
    t.type({ _tag: t.literal('Bearer'), token: t.string }),
    t.type({ _tag: t.literal('Nobody') }),
    /** A person at the machine of the host, or the host itself. No commit can take away their right. */
    t.type({ _tag: t.literal('Host') }),
  ],
  'Asker',
)
export type Asker = t.TypeOf<typeof Asker>

const rights = {
  /** The id of the row whose capability the command needs. */
  row: t.string,
  asker: Asker,
  /** How far the caller held the capability when the command was made. */
  grade: t.keyof({ full: null, own: null, none: null }),
} as const

/** The right that a request claims. It may have ended by the time the gate plans the write. */
export const ClaimedRight = t.type(rights, 'ClaimedRight')
export type ClaimedRight = t.TypeOf<typeof ClaimedRight>

/**
 * Checks the right of an asker again. Returns the caller as the snapshot knows them, or the refusal; also
 * refuses where the capability was held in full and is now held only as `.own` (S30, ADR 1018). A null
 * snapshot means that HEAD cannot be read; the served snapshot decides then.
 */
export type Admit = (
  claimed: ClaimedRight,
  snapshot: Snapshot | null,
  nowMs: number,
) => Either<RefusalOf<'Unauthorized' | 'Forbidden'>, Caller>

/**
 * The person or program that makes a write. `name` is the Gracz, or the kind of the caller when there is
 * none.
 */
export const WriteActor = t.intersection([
  t.type({ name: t.string, gracz: t.union([t.string, t.null]), kind: t.string }),
  t.partial({ token: TokenRef }),
])
/** `token` is the named token of the request, if it had one. */
export type WriteActor = t.TypeOf<typeof WriteActor>

/** The origin of a commit. `route` is `POST /entities` or the name of a duty of the host. */
export const WriteOrigin = t.type({ actor: WriteActor, route: t.string }, 'WriteOrigin')
export type WriteOrigin = t.TypeOf<typeof WriteOrigin>

/** One requested write. The codecs of its row have decoded `path`, `query` and `body`. */
export const Command = t.type(
  {
    ...WriteOrigin.props,
    ...rights,
    path: t.record(t.string, t.string),
    query: t.record(t.string, PlainData),
    body: PlainData,
    /** A value that the HTTP layer prepared for the row, such as a new key; null for most rows. */
    prepared: PlainData,
    dryRun: t.boolean,
    /**
     * The commit that the snapshot must contain before the write is planned on it; null when any snapshot
     * will do.
     */
    wants: t.union([CommitId, t.null]),
  },
  'Command',
)
export type Command = t.TypeOf<typeof Command>

/** A file that a duty of the host writes: its whole new text, or null where it is removed. */
const WrittenFile = t.type({
  path: RepoPath,
  /** The blob that the text was made from; null for a new file. */
  before: t.union([BlobId, t.null]),
  after: t.union([t.string, t.null]),
})

/** Files that a duty of the host writes to one tree. No caller can send it. */
export const TreeWrite = t.type(
  {
    _tag: t.literal('TreeWrite'),
    tree: Tree,
    subject: t.string,
    files: t.readonlyArray(WrittenFile),
  },
  'TreeWrite',
)
export type TreeWrite = t.TypeOf<typeof TreeWrite>

/**
 * The command by which a duty of the host writes files to a tree. `duty` names it in the audit and the commit, as
 * `log-fetcher`. Where a file is no longer as `before` says, the gate refuses the command and writes nothing: the duty
 * reads the tree again.
 */
export const treeWriteCommand = (duty: string, write: Omit<TreeWrite, '_tag'>): Command => ({
  actor: { name: duty, gracz: null, kind: 'machine' },
  route: duty,
  row: 'import.run',
  asker: { _tag: 'Host' },
  grade: 'full',
  path: {},
  query: {},
  body: {},
  prepared: { _tag: 'TreeWrite', ...write },
  dryRun: false,
  wants: null,
})

/**
 * Plans a command: returns the change set on a snapshot, or the refusal. Pure; the gate plans again on each
 * snapshot that it commits to.
 */
export type PlanCommand = (
  command: Command,
  snapshot: Snapshot,
  nowMs: number,
) => Either<Refusal, ChangeSet<unknown>>

/**
 * A committed write, or the preview of one. `commit` is the new commit, or HEAD when nothing changed; it is always of
 * the lore.
 */
export interface Written {
  readonly status: number | null
  readonly body: unknown
  readonly commit: CommitId | null
  /** The commit of a write to another tree than the lore. */
  readonly further?: { readonly tree: FurtherTree; readonly commit: CommitId }
  /**
   * The commit of an enactment whose push was not answered: the branch here does not have it, and the next converge
   * shows whether the remote does. If so, `follow` does what follows a write. No answer has this.
   */
  readonly unsure?: { readonly commit: CommitId; readonly follow: () => Promise<void> }
}

/**
 * Sends a command through the gate. Resolves when the write is on disk and served, or refused (A 4.1, D28).
 * `isCallerThere` says whether the caller still waits for the answer: the gate drops a write whose caller left
 * before it was planned. If absent, the caller waits for as long as the gate works on it.
 */
export type WritePort = (command: Command, isCallerThere?: () => boolean) => Promise<Either<Refusal, Written>>

/**
 * Ids of the rows whose writes are planned: those with `write` that have answers and end in a commit, and those with
 * `plans`.
 */
export type PlannedId<T extends Table> = {
  readonly [K in keyof T]: T[K]['write'] extends true
    ? T[K] extends { readonly commits: false }
      ? never
      : keyof T[K]['answers'] extends never
        ? never
        : K
    : T[K] extends { readonly plans: true }
      ? K
      : never
}[keyof T]

/** One planner for each planned row of the table, no more and no fewer. */
export type Planners<T extends Table> = { readonly [K in PlannedId<T>]: Planner<T[K]> }

/**
 * Decodes the value that the HTTP layer prepared. Throws when it does not match the codec, which is a bug in
 * that layer.
 */
export const decodePrepared = <A>(codec: t.Type<A, unknown>, prepared: unknown): A => {
  const decoded = codec.decode(prepared)
  if (isLeft(decoded)) throw new Error(`what was prepared for the command is no ${codec.name}`)
  return decoded.right
}

export type AnyPlanners = { readonly [id: string]: AnyPlanner }

/** A pure rule of a write: returns the change set on a snapshot, or the refusal. */
export type WritePlan<A, R extends Refusal = Refusal> = (
  snapshot: Snapshot,
  nowMs: number,
) => Either<R, ChangeSet<A>>

/** An adoption: on whose behalf and by what right. The gate checks the right again in its turn (S30). */
const adoption = { origin: WriteOrigin, claimed: ClaimedRight } as const

/** Adopts the committed tree into format 2 (A 4.5). */
const Import = t.type({ _tag: t.literal('Import'), ...adoption })

/** Rebuilds the index of places and lists speakers without an entity (A 4.8). */
const Reindex = t.type({ _tag: t.literal('Reindex'), ...adoption })

/** Makes one write. */
const Write = t.type({ _tag: t.literal('Write'), command: Command })

/** Builds every search index of the host from nothing (B 4.4). */
const RebuildSearch = t.type({ _tag: t.literal('RebuildSearch') })

/** Fetches transcripts and archives them (B 4.5): those of the addresses, or all that the archive lacks. */
const FetchLogs = t.type({
  _tag: t.literal('FetchLogs'),
  ...adoption,
  addresses: t.union([t.readonlyArray(t.string), t.null]),
  /** Whether archived ones are fetched again, and those that failed too often. */
  isAgain: t.boolean,
})

/**
 * The work of a job, as a value. The same task can come from HTTP, the chat, the command line or a timer. It
 * may contain a bearer token, as a command does: no log, record or answer may contain a task.
 */
export const JobTask = t.union([Import, Reindex, RebuildSearch, Write, FetchLogs], 'JobTask')
export type JobTask = t.TypeOf<typeof JobTask>

/** The task with a tag. */
export type TaskOf<Tag extends JobTask['_tag']> = Extract<JobTask, { readonly _tag: Tag }>

/**
 * Starts a job, whatever asks for it. Resolves when the job is on disk, before its work begins, or with why
 * there is no job (A 2.1, D33).
 */
export type StartJob = (kind: JobKind, task: JobTask) => Promise<Either<RefusalOf<'Overloaded'>, JobEnvelope>>

/** `StartJob` for a kind of which one job runs at a time (`isSingle`); the refusal names the job that has not ended. */
export type StartSingleJob = (
  kind: JobKind,
  task: JobTask,
) => Promise<Either<RefusalOf<'Overloaded' | 'JobRunning'>, JobEnvelope>>

/** Whether the commit is the snapshot's own or one of its ancestors. Rejects when git cannot tell. */
export type ContainsCommit = (commit: CommitId, snapshot: Snapshot) => Promise<boolean>

/** The 409 when this host does not have the commit that the caller requires. */
export const commitNotHere = (): RefusalOf<'CommitNotHere'> =>
  refuse('CommitNotHere', 'This host does not have the commit yet. Try again in a second.')

/**
 * Whether a snapshot contains the commit that a caller requires; true when the caller requires none. Returns
 * false when git cannot tell. Never rejects.
 */
export const hasWanted = async (
  containsCommit: ContainsCommit,
  wants: CommitId | null,
  snapshot: Snapshot,
): Promise<boolean> =>
  wants === null || snapshot.commit === wants || (await containsCommit(wants, snapshot).catch(() => false))

/** The input of a planner: the decoded values of its row, and the caller. */
interface Planning<R extends Route> {
  readonly path: PathOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** The value that the HTTP layer prepared; the planner of the row decodes it. */
  readonly prepared: unknown
  /** The person who asks, as known when the command was made. */
  readonly actor: WriteActor
  /** The same person as the snapshot knows them, which may have changed since (ADR 1018). */
  readonly caller: Caller
  /** For a row whose dry run lists what an apply is refused for. */
  readonly dryRun: boolean
  readonly nowMs: number
}

/**
 * The rule of one row: a pure function of a snapshot and a command. It returns only refusals that its row
 * declares.
 */
type Planner<R extends Route> = (
  snapshot: Snapshot,
  asked: Planning<R>,
) => Either<RefusalOf<R['refusals'][number] | 'Unauthorized' | 'Forbidden'>, ChangeSet<AnswerOf<R>>>

interface AnyPlanning {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly prepared: unknown
  readonly actor: WriteActor
  readonly caller: Caller
  readonly dryRun: boolean
  readonly nowMs: number
}

/**
 * A planner of any row. Declared as a method, because method parameters are bivariant and any `Planner` must
 * be assignable.
 */
type AnyPlanner = {
  plan(snapshot: Snapshot, asked: AnyPlanning): Either<Refusal, ChangeSet<unknown>>
}['plan']
