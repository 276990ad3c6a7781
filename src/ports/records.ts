import type { BlobId, CommitId, Instant, RepoPath, Tree } from '#protocol/atoms.js'
import type { DeliveryOperation, DeliveryStatus, GivenUpAnswer } from '#protocol/chat/delivery.js'
import type {
  DispatchAttempt,
  DispatchEnd,
  DispatchKind,
  DispatchRun,
  DispatchVars,
} from '#protocol/chat/dispatch.js'
import type { TakeoverFailure, TakeoverJob } from '#protocol/fleet/takeover.js'
import type {
  AuditLine,
  EventGap,
  EventKind,
  EventPayload,
  LogPage,
  LogStream,
} from '#protocol/host/events.js'
import type { JobKind } from '#protocol/host/jobs.js'
import type { MetricName, metrics } from '#protocol/metric.js'
import type { Notice } from '#src/domain/lore/changes.js'
import type { StartJob, StartSingleJob } from '#src/writing/command.js'
import type { ReplayedCommit } from './git.js'

/** A line of a log: its number, and its JSON without the newline. */
export interface RecordLine {
  readonly seq: number
  readonly text: string
}

/** What opening a log found. Bytes are those of the files. */
export interface Opened {
  /** The number that the next line gets. */
  readonly next: number
  /** Bytes of a torn last line, which were cut off. */
  readonly tornBytes: number
  /**
   * Complete lines of the open segment that are not records. They stay, and their numbers are not used again.
   */
  readonly corruptLines: number
}

/** Where a reader stopped; a later read that starts after `seq` continues from here. */
export interface LogPlace {
  readonly seq: number
  readonly first: number
  readonly offset: number
}

export interface Page {
  readonly lines: ReadonlyArray<RecordLine>
  readonly place: LogPlace | null
  /** The lowest number that may still be in the log. */
  readonly oldest: number
}

export interface ReadLimits {
  readonly lines: number
  readonly bytes: number
}

/**
 * Numbered JSON lines in rotated files, for one writer and any number of readers. Writing calls run one after
 * the other, in the order of the calls.
 */
export interface RecordLog {
  /** Finds where the log continues, and cuts off a torn tail. */
  readonly open: () => Promise<Opened>
  /**
   * Numbers objects (as JSON) and appends them; `durable` waits for the disk. All or nothing: where it
   * rejects, no reader saw any of them, and none will unless the disk does not let them be removed.
   */
  readonly append: (objects: ReadonlyArray<string>, durable: boolean) => Promise<ReadonlyArray<RecordLine>>
  /** Lines after `after` up to `through`, in order, without the lines that are not records. */
  readonly read: (after: number, through: number, limits: ReadLimits, place: LogPlace | null) => Promise<Page>
  /** The newest lines before a number for which `keep` returns true, newest first. */
  readonly newest: (
    before: number,
    limit: number,
    keep: (line: RecordLine) => boolean,
  ) => Promise<ReadonlyArray<RecordLine>>
  /** Starts a new segment where the open one is too old, and deletes the segments past the retention. */
  readonly tidy: () => Promise<void>
  readonly bytes: () => number
  readonly close: () => Promise<void>
}

/** Objects as JSON in UTF-8, concatenated; `ends` holds the end of each. */
export interface PackedObjects {
  readonly bytes: Buffer
  readonly ends: ReadonlyArray<number>
}

/** A log for high-volume records. */
export interface StreamLog extends RecordLog {
  /** Appends many objects, without numbers returned and without waiting for the disk. */
  readonly appendPacked: (objects: PackedObjects) => Promise<void>
}

/**
 * Passes an event to the journal and the live stream. Never throws, never waits; the journal counts what
 * fails.
 */
export type Publish = <K extends EventKind>(kind: K, payload: EventPayload<K>) => void

/** What a reader of events gets, in order; reading continues after `seq`. */
export type EventItem =
  | { readonly _tag: 'Event'; readonly seq: number; readonly text: string }
  | { readonly _tag: 'Gap'; readonly seq: number; readonly gap: EventGap }

export interface EventPart {
  readonly items: ReadonlyArray<EventItem>
  readonly place: LogPlace | null
}

/**
 * The events of this host for readers, from memory or from the journal. It outlives the actor that fills it.
 */
export interface EventFeed {
  /** The number of the last event that readers may see; 0 before the first. */
  readonly head: () => number
  /**
   * Bytes of events published since the start; the difference to a client's position is how far it has fallen
   * behind.
   */
  readonly givenBytes: () => number
  /**
   * The items after `after`, at least one where `after` is not the head. A number above the head gives a gap.
   */
  readonly after: (after: number, limits: ReadLimits, place: LogPlace | null) => Promise<EventPart>
  /** Calls `run` at every new event. Returns the function that unsubscribes. */
  readonly onMore: (run: () => void) => () => void
  /** Whether events are kept on disk (`server.event_journal`). */
  readonly isKept: boolean
}

/** The writer's side of the feed. */
export interface FilledFeed extends EventFeed {
  /** Reports that the journal is open and which number its next event gets. */
  readonly opened: (next: number) => void
  /** Publishes events to readers: they are durable, or need not be. */
  readonly give: (lines: ReadonlyArray<RecordLine>) => void
}

/** queued → running → completed | failed; a job may fail from `queued` too. The last two are final (S26). */
export const jobStates = ['queued', 'running', 'completed', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** How a job ended. `json` is the body of the response that the request would have had, as JSON text. */
export type JobOutcome =
  | { readonly _tag: 'Completed'; readonly json: string }
  | { readonly _tag: 'Failed'; readonly error: string; readonly detail: string }

export interface Job {
  readonly id: string
  readonly kind: JobKind
  readonly state: JobState
  readonly createdMs: number
  readonly startedMs: number | null
  readonly endedMs: number | null
  readonly result: unknown
  readonly error: string | null
  readonly detail: string | null
}

/** The jobs of this host, durable before a call returns. A call throws where the disk refuses. */
export interface JobStore {
  readonly queue: (id: string, kind: JobKind, atMs: number) => void
  /** False where the job is not queued: it has ended, or is unknown. */
  readonly begin: (id: string, atMs: number) => boolean
  /** False where the job has ended already; it keeps its outcome. */
  readonly end: (id: string, outcome: JobOutcome, atMs: number) => boolean
  readonly find: (id: string) => Job | null
  /** Jobs that have not ended, oldest first. */
  readonly unfinished: () => ReadonlyArray<Job>
  /** Deletes jobs that ended before this time, and all ended ones but the newest `keep`. Returns how many. */
  readonly forget: (endedBeforeMs: number, keep: number) => number
  readonly counts: () => ReadonlyArray<{
    readonly kind: JobKind
    readonly state: JobState
    readonly count: number
  }>
}

/** The jobs of this host as its callers see them (A 2.1, D33). */
export interface Jobs {
  readonly start: StartJob
  /** Starts a job of a kind of which one runs at a time; refuses while one has not ended. */
  readonly startSingle: StartSingleJob
  readonly find: JobStore['find']
  /** An id for `keep`. */
  readonly newId: () => string
  /**
   * Records work that a request did and that is done, as a job that has ended; `result` is the encoded answer. The disk
   * may refuse it: then the log says so, and there is no job.
   */
  readonly keep: (id: string, kind: JobKind, result: unknown) => void
}

/** The progress of a job. `detail` names a step, never text that a person wrote. */
export interface JobProgress {
  readonly done: number
  readonly total: number
  readonly detail: string
}

export type TellProgress = (progress: JobProgress) => void

/**
 * What a write is about to do to the branch, recorded beforehand so that the next boot can complete or drop
 * it (S13).
 */
export interface Intent {
  readonly id: string
  /** The tree whose branch has the commit. The recovery of one tree leaves the intents of the others alone. */
  readonly tree: Tree
  readonly atMs: number
  readonly actor: string
  readonly route: string
  /** The write's commit. The object exists before the intent is recorded. */
  readonly commit: CommitId
  /** The commit of the branch before the write; null for the first commit of a repository. */
  readonly parent: CommitId | null
  readonly state: IntentState
  readonly paths: ReadonlyArray<IntentPath>
  /** The audit lines of the write; stored apart, and so not read back (ADR 1012). */
  readonly audit?: ReadonlyArray<AuditLine>
  /** The notices of the write; the outbox has them from now on, and they are not read back. */
  readonly notices?: ReadonlyArray<Notice>
}

/** The intents of this host, durable before a call returns. A call throws where the disk refuses. */
export interface Intents {
  /** Records a batch in one transaction: all or none. Each id is recorded once. */
  readonly prepare: (batch: ReadonlyArray<Intent>) => void
  /**
   * Ends intents in one transaction and returns how many. An intent that has ended keeps its state, except that a
   * lost one is done when its commit is found.
   */
  readonly settle: (ids: ReadonlyArray<string>, verdict: IntentVerdict) => number
  /** The intents of a tree that have not ended, oldest first: the next boot settles them. Without one: of all. */
  readonly prepared: (tree?: Tree) => ReadonlyArray<Intent>
  readonly find: (id: string) => Intent | null
  /** Lets intents name the commits that took the place of theirs, in one transaction. */
  readonly follow: (made: ReadonlyArray<ReplayedCommit>) => void
  /** Writes a row and deletes it, durably; throws where the next `prepare` would. */
  readonly prove: () => void
  /**
   * Deletes ended intents that were recorded before this time, owe no notice and are not looked for. Returns how
   * many.
   */
  readonly forget: (beforeMs: number) => number
}

/**
 * How an intent ends. `lost`: the branch here did not move to the commit, which the remote may have nevertheless, so
 * its audit lines are kept. `unmade`: neither the branch nor the remote has the commit; the intent is `lost`, and its
 * audit lines are deleted.
 */
export type IntentVerdict = 'done' | 'lost' | 'unmade'

/**
 * A write that waits for its commit to be in the remote: one with notices, or a `lost` one with audit lines.
 */
export interface OwingWrite {
  readonly intent: string
  readonly commit: CommitId
  readonly state: 'done' | 'lost'
  readonly atMs: number
}

export interface ReleasedNotices {
  /** Those that end at once, because they have no channel. */
  readonly ended: ReadonlyArray<
    Pick<NewDelivery, 'id' | 'operation' | 'entity'> & { readonly detail: string }
  >
  readonly queued: number
  /** How many the outbox had no room for. */
  readonly left: number
}

/** A channel of the guild by its names, in NFC. */
export interface ChannelName {
  readonly category: string
  readonly channel: string
}

/** A message that is to be sent. */
export interface NewDelivery extends ChannelName {
  readonly id: string
  readonly operation: DeliveryOperation
  /** The heading of the entity whose channel it is; null for a channel that was named. */
  readonly entity: string | null
  readonly text: string
  /** What makes two attempts one message for the platform; at most 25 characters. */
  readonly nonce: string
}

/** A message of the outbox. Times are wall milliseconds. */
export interface DeliveryRecord extends NewDelivery {
  readonly status: DeliveryStatus
  /** Counted when an attempt begins. */
  readonly attempts: number
  readonly queuedMs: number
  /** The time from which the next attempt may begin. */
  readonly dueMs: number
  /** Since when the platform may have the message without this host knowing it; null: it does not have it. */
  readonly doubtSinceMs: number | null
  readonly endedMs: number | null
  /** The id that the platform gave the message. */
  readonly messageId: string | null
  /** The platform's own code in its last refusal. */
  readonly code: number | null
  /** Why the message waits or was not sent. */
  readonly detail: string | null
}

/**
 * The outbox: the messages that this host sends to the chat platform, durable before a call returns. A call throws
 * where the disk refuses.
 */
export interface DeliveryStore {
  /** False, and nothing is queued, where 10,000 messages wait, or for a notice of this host 11,000. */
  readonly enqueue: (delivery: NewDelivery, atMs: number) => boolean
  /** Records an answer to an interaction that was given up, as operation `follow-up`; once for each id. */
  readonly recordAnswer: (answer: GivenUpAnswer, atMs: number) => void
  /** The writes that wait for their commits, oldest first: those of which it is known how they ended here. */
  readonly owing: () => ReadonlyArray<OwingWrite>
  /**
   * Queues the notices of a write in one transaction, each once by its key; those without a channel end as refused.
   * What the outbox has no room for waits on.
   */
  readonly releaseNotices: (intent: string, atMs: number) => ReleasedNotices
  /** Removes the notices of a write, which are not sent. Returns how many. */
  readonly dropNotices: (intent: string) => number
  readonly find: (id: string) => DeliveryRecord | null
  /** Counts an attempt, of which the platform may know from now on. False where the message has ended. */
  readonly begin: (id: string, atMs: number) => boolean
  /** False where the message has ended already; it keeps its end. */
  readonly end: (id: string, end: DeliveryEnd, atMs: number) => boolean
  /** Lets a queued message wait for its next attempt. */
  readonly defer: (id: string, delay: DeliveryDelay) => boolean
  /**
   * The oldest queued message of each channel: at most 40, those that are due before those that are due next. Notices
   * of this host come before the messages of callers, and each in the order of their arrival.
   */
  readonly heads: (atMs: number) => ReadonlyArray<DeliveryHead>
  /** Holds a channel or all messages; a later hold of the same replaces it. */
  readonly hold: (hold: DeliveryHold) => void
  /** Ends the hold of a channel, or with null that of all messages. */
  readonly release: (channel: ChannelName | null) => void
  /** Ends every hold. */
  readonly releaseAll: () => void
  /**
   * The newest messages first, of one operation or of all, without their texts; a queued one has its hold. A page
   * without a queued message is the same array until a message changes.
   */
  readonly list: (
    operation: DeliveryOperation | null,
    limit: number,
    atMs: number,
  ) => ReadonlyArray<DeliveryRecord>
  /** When the message was queued that waits longest; null where none waits. */
  readonly oldestMs: () => number | null
  readonly counts: () => ReadonlyArray<{ readonly status: DeliveryStatus; readonly count: number }>
}

/** An answer that is not in the chat yet. */
export interface OwedAnswer {
  readonly id: string
  readonly kind: DispatchKind
  readonly answer: string
  readonly sealedReply: string
  readonly acceptedMs: number
  /** From when it may be sent. */
  readonly dueMs: number
  /** How often it was tried to send. */
  readonly tries: number
}

/** Interactions of one kind since the first start of this host. */
export interface DispatchCounts {
  readonly accepted: number
  readonly enacted: number
  readonly failed: number
  readonly refused: number
}

export type AllDispatchCounts = Readonly<Record<DispatchKind, DispatchCounts>>

/**
 * The interactions of this host, durable before a call returns. A call throws where the disk refuses. Times are
 * those of a clock that a step of the wall clock does not move while the process lives.
 */
export interface DispatchStore {
  /** The kind under which the interaction was accepted; null where it was not. */
  readonly findKind: (id: string) => DispatchKind | null
  /** Records the interaction and counts it as accepted. False where it is known already (S20). */
  readonly enqueue: (dispatch: NewDispatch, nowMs: number) => boolean
  /** Begins the interaction that has been due longest; null where none is due. */
  readonly begin: (nowMs: number) => DispatchAttempt | null
  /** Queues a running interaction again, due at `dueMs` or at its deadline. Without `isCounted` it used no attempt. */
  readonly defer: (run: DispatchRun, dueMs: number, isCounted: boolean, reason: string) => boolean
  /** Ends a run. False where another run has begun or the interaction has ended; it stays as it is. */
  readonly end: (run: DispatchRun, end: DispatchEnd, nowMs: number) => boolean
  /**
   * Ends at most 100 queued interactions whose deadline has passed as failed, with the reason of their last
   * attempt or else `reason`, and returns them.
   */
  readonly expire: (
    nowMs: number,
    reason: string,
    answer: string,
  ) => ReadonlyArray<Pick<NewDispatch, 'id' | 'kind'>>
  /** When the next queued interaction is due or reaches its deadline; null where none waits. */
  readonly nextMs: () => number | null
  /**
   * Queues what ran when the last incarnation ended, its attempt counted, and brings times that are further ahead
   * than the queue allows, as after a step of the wall clock back, to their most. Returns how many ran.
   */
  readonly recover: (nowMs: number) => number
  /** Makes due what waits without having used an attempt. */
  readonly releaseHeld: (nowMs: number) => void
  /** The answers that are owed, due or not, the earliest due first. */
  readonly owed: (limit: number) => ReadonlyArray<OwedAnswer>
  /** The answers of interactions that were accepted at `acceptedMs` or before, due or not. */
  readonly overdue: (acceptedMs: number, limit: number) => ReadonlyArray<OwedAnswer>
  /** Counts a try of an answer that is due again at `dueMs`. */
  readonly postpone: (id: string, dueMs: number) => void
  /** Removes these answers and where they go to, in one transaction with the records of those given up (S34). */
  readonly settle: (answers: ReadonlyArray<SettledAnswer>, nowMs: number) => void
  /** Removes at most 100 interactions whose end was at least 24 hours ago; returns how many. */
  readonly prune: (nowMs: number) => number
  /** Read once after a change. */
  readonly counts: () => AllDispatchCounts
  /** How many are queued or running, by the counts. */
  readonly waiting: () => number
  /** Rows that are queued or running, counted one by one; `waiting` takes them from the counts (S24). */
  readonly countUnended: () => number
  readonly running: () => ReadonlyArray<DispatchKind>
  /** When the oldest that waits was accepted; null where none waits. */
  readonly oldestMs: (kind: DispatchKind) => number | null
}

/** queued → running → done | failed; the last two are final. */
export const takeoverStates = ['queued', 'running', 'done', 'failed'] as const

/** A takeover job on record. */
export interface TakeoverRecord {
  readonly job: TakeoverJob
  readonly state: TakeoverState
  readonly requestedMs: number
  readonly endedMs: number | null
  /** The request of the forge, as soon as it is known. */
  readonly request: { readonly iid: number; readonly url: string } | null
  /** On the clock of the forge; null until it is merged. */
  readonly mergedAtMs: number | null
  readonly failure: TakeoverFailure | null
  readonly detail: string | null
}

export type TakeoverVerdict =
  | {
      readonly _tag: 'Done'
      readonly iid: number
      readonly url: string
      readonly mergedAtMs: number | null
    }
  | {
      readonly _tag: 'Failed'
      readonly failure: TakeoverFailure
      readonly detail: string
      readonly owesClosing: boolean
    }

/** An announcement as it came. Nothing of it is believed. */
export interface Announcement {
  readonly newPrimary: string
  readonly mrIid: number | null
  readonly epochMs: number | null
}

/**
 * The takeover jobs and the announcements of this host, durable before a call returns. A call throws where the
 * disk refuses.
 */
export interface TakeoverStore {
  /** Queues the job, or returns the active one of the same town, which stays as it is (S5). */
  readonly enqueue: (
    job: TakeoverJob,
    atMs: number,
  ) => { readonly isNew: boolean; readonly record: TakeoverRecord }
  /** False where the job has ended or is unknown. A job that runs already, after a restart, begins again. */
  readonly begin: (id: string, atMs: number) => boolean
  /** Records the request of an active job. */
  readonly noteRequest: (id: string, iid: number, url: string) => void
  /** False where the job has ended already; it keeps its end. */
  readonly end: (id: string, verdict: TakeoverVerdict, atMs: number) => boolean
  /** The active jobs, the oldest first. */
  readonly active: () => ReadonlyArray<TakeoverRecord>
  /** The job that was queued last. */
  readonly last: () => TakeoverRecord | null
  /** Failed jobs whose request may be open. */
  readonly owed: () => ReadonlyArray<TakeoverRecord>
  readonly settle: (id: string) => void
  /** How jobs for this version of the topology failed, the newest first. */
  readonly failuresOf: (fenceCommit: string) => ReadonlyArray<TakeoverFailure>
  readonly counts: () => ReadonlyArray<{ readonly state: TakeoverState; readonly count: number }>
  /** Records an announcement; the newest 200 are kept. */
  readonly announce: (announcement: Announcement, atMs: number) => void
  readonly announcements: () => ReadonlyArray<Announcement & { readonly receivedMs: number }>
}

/** Adds a record to a stream, with the time as `at`. Never throws, never waits; a lost record is counted. */
export type RecordTo = (stream: LogStream, fields: object) => void

/**
 * How records of one kind become lines. Called once with the function that redacts credentials from a text;
 * returns the function that makes the JSON of a record. Never throws.
 */
export type LinesOf<A> = (scrub: (text: string) => string) => (at: Instant, record: A) => string

/** Returns a function that adds records of one kind, like `RecordTo`. */
export type RecordLines = <A>(stream: Exclude<LogStream, 'audit'>, lines: LinesOf<A>) => (record: A) => void

/** Records who did what, for acts that are not events. */
export type Audit = (line: AuditLine) => void

/** Records of a stream before a number (null: the newest), newest first. */
export type ReadLogs = (stream: LogStream, before: number | null, limit: number) => Promise<LogPage>

/**
 * Where everything is counted. Names and labels come from `protocol/metric.ts`; a wrong label, or a
 * value outside of its closed set, does not compile.
 */
export interface Meter {
  readonly count: <K extends Named<'counter'>>(name: K, labels: LabelsOf<K>, by?: number) => void
  readonly gauge: <K extends Named<'gauge'>>(name: K, labels: LabelsOf<K>, value: number) => void
  readonly observe: <K extends Named<'histogram'>>(name: K, labels: LabelsOf<K>, value: number) => void
  /** Removes one series, such as that of a town that left the fleet. It begins at 0 where it is counted again. */
  readonly remove: <K extends MetricName>(name: K, labels: LabelsOf<K>) => void
}

/** An audit line that is on disk beside the change it describes, and may be missing from the audit stream. */
export interface OwedLine {
  readonly key: string
  /** When the change was made. */
  readonly atMs: number
  readonly line: AuditLine
}

/**
 * Audit lines that the audit stream may lack (ADR 1012). Each is stored in the transaction of the change it
 * describes, until the stream has it on disk.
 */
export interface OwedAudit {
  /**
   * Lines of committed changes that were stored before this database was opened, or of writes that were lost and
   * found, oldest first; a write has its commit.
   */
  readonly before: () => ReadonlyArray<OwedLine>
  /**
   * Reports that the stream has these lines. They are deleted in the next transaction that stores some, or
   * when the database closes.
   */
  readonly paid: (keys: ReadonlyArray<string>) => void
}

/**
 * Runs a write of a database in one transaction with every other write of the same turn of the loop, so that all of
 * them wait for the disk once. The promise resolves with the result when the write is on disk, and rejects where the
 * write throws or the disk refuses. A write may run twice, of which one run is rolled back, so it has no effect beside
 * the database.
 */
export type GroupCommit = <A>(write: () => A) => Promise<A>

/** One file of an intent: its blob before and after; null where there is none. */
interface IntentPath {
  readonly path: RepoPath
  readonly old: BlobId | null
  readonly new: BlobId | null
}

/**
 * `prepared`: the ref may have moved or not; `done`: it moved, and the write is complete; `lost`: it never
 * moved.
 */
type IntentState = 'prepared' | 'done' | 'lost'

/** Why messages wait: `channel` null holds all of them. */
interface DeliveryHold {
  readonly channel: ChannelName | null
  readonly untilMs: number
  readonly code: number | null
  readonly detail: string
}

/** The oldest queued message of a channel; `dueMs` counts the holds. */
interface DeliveryHead extends ChannelName {
  readonly id: string
  readonly dueMs: number
}

type DeliveryEnd =
  | { readonly _tag: 'Sent'; readonly messageId: string }
  | { readonly _tag: 'Refused'; readonly code: number | null; readonly detail: string }
  | { readonly _tag: 'Unknown'; readonly detail: string }

interface DeliveryDelay {
  readonly dueMs: number
  readonly doubtSinceMs: number | null
  readonly code: number | null
  readonly detail: string
}

/** An interaction to record. `sealedReply`: where its answer goes, encrypted; null where nowhere. */
interface NewDispatch {
  readonly id: string
  readonly kind: DispatchKind
  readonly vars: DispatchVars
  readonly sealedReply: string | null
}

/** An answer that is owed no more; `givenUp`: its record, null where it was sent. */
interface SettledAnswer {
  readonly id: string
  readonly givenUp: GivenUpAnswer | null
}

type TakeoverState = (typeof takeoverStates)[number]

/** The values of a label: those that the table names, or any text where it names none. */
type ValueOf<K extends MetricName, L extends string> = (typeof metrics)[K] extends {
  readonly values: Readonly<Record<L, ReadonlyArray<infer V extends string>>>
}
  ? V
  : string
type LabelsOf<K extends MetricName> = {
  readonly [L in (typeof metrics)[K]['labels'][number]]: ValueOf<K, L>
}
type Named<Kind> = { [K in MetricName]: (typeof metrics)[K]['kind'] extends Kind ? K : never }[MetricName]
