import type { MessagePort } from 'node:worker_threads'
import type { Either } from 'fp-ts/lib/Either.js'
import type { FleetMonitor } from '#protocol/fleet/monitor.js'
import type { ObeyedTopology } from '#protocol/fleet/peers.js'
import type { FleetWorkload } from '#protocol/host/config.js'
import type { MentionIndexState } from '#protocol/host/discovery.js'
import type { DimensionFault, MapFailure } from '#protocol/lore/maps.js'
import type { SearchPage, SearchRebuilt } from '#protocol/lore/search.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { IsVerified } from '#src/domain/audit/verified-commits.js'
import type { TuningFile } from '#src/domain/samples/tuning.js'
import type { DocumentHead } from '#src/domain/search/document.js'
import type { SearchAsker, TierReading } from '#src/domain/search/search-page.js'
import type { Asked, Misses } from '#src/domain/search/zero-results.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Deliveries, Interactions } from './chat.js'
import type { Clock } from './clock.js'
import type { DerivedArtifacts, FleetDuty, Peers, Takeovers } from './fleet.js'
import type { GitHistory, RemoteSync } from './git.js'
import type { IdentityPorts, OnlinePlayers } from './identity.js'
import type { WriteGate } from './landing.js'
import type { LogFetching } from './log-fetching.js'
import type { Models } from './models.js'
import type { EventFeed, Jobs, ReadLogs } from './records.js'
import type { LogFailures, ReadEvidence, TranscriptIndex } from './transcripts.js'

/** The exit code of a command, and why it was not started, where it was not. */
export interface ChildEnd {
  readonly code: number
  readonly failure: 'not_found' | 'not_started' | null
}

/** Runs a command with the streams of this process. Never rejects. */
export type RunChild = (command: string, args: ReadonlyArray<string>) => Promise<ChildEnd>

/** How a thread ended: by itself, by an uncaught throw, out of memory, or because this process ended it. */
export type ThreadEnd = 'exit' | 'error' | 'memory' | 'told'

/** A running thread. `O` is the type of messages to it, `I` of messages from it. */
export interface Thread<O> {
  /** Sends a message; the ports in it are listed, and are no longer of this thread then. */
  readonly post: (message: O, ports?: ReadonlyArray<MessagePort>) => void
  /** Ends the thread, whatever it is doing; `ended` is still called. */
  readonly end: () => void
}

export type OpenThread<O, I> = (events: ThreadEvents<I>) => Thread<O>

/** A file of the reference pages with its content. */
export interface ReferenceFile {
  /** Its media type, with the charset. */
  readonly type: string
  readonly bytes: Buffer
}

/** Reads a file of the reference by name; null where there is none. Accepts any text as a name. */
export type ReadReference = (name: string) => Promise<ReferenceFile | null>

/** One tick of a workload, on a host that had the duty when the tick began. */
export interface WorkloadTick {
  /**
   * Why the host may not publish what it planned in this tick, as a word for the log; null where it may. A runner
   * asks directly before it commits, sends or pushes.
   */
  readonly whyNoPush: () => string | null
}

/** Does the work of a workload, a part in each tick. */
export interface WorkloadRunner {
  /**
   * Time from the end of a tick to the begin of the next. Work that is due less often than ticks is, such as once a
   * day, is for the runner to remember: a start of the host begins with a whole interval.
   */
  readonly intervalMs: number
  /** How long a tick may take. A longer one goes on and is counted as an overrun. */
  readonly budgetMs: number
  /** Ends early where the signal aborts. A rejection ends the tick and is counted; the next one comes as always. */
  readonly run: (tick: WorkloadTick, signal: AbortSignal) => Promise<void>
}

/** The workloads that a host can run. */
export type WorkloadRunners = ReadonlyMap<FleetWorkload, WorkloadRunner>

/** The flip that this host obeyed last. It outlives the process. */
export interface ObeyedTopologyStore {
  /** Null where this host never obeyed one. */
  readonly find: () => ObeyedTopology | null
  /** On disk when it returns. Throws where the disk refuses. */
  readonly keep: (obeyed: ObeyedTopology) => void
}

/** This process, as health and the status card show it. */
export interface HostProcess extends Pick<Clock, 'monotonicMs'> {
  readonly version: string
  /** Identifies this build, also among builds of the same version. */
  readonly build: string
  readonly bootId: string
  readonly bootMs: number
  readonly pid: number
  /** The longest pause of the event loop in the last minute, in ms. */
  readonly lagMs: () => number
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
  readonly readers: { readonly threads: number; readonly live: () => number }
}

/** What the rows of search need where they are answered: the main thread, or a reader thread. */
export interface SearchPorts {
  readonly asker: SearchAsker
  /**
   * The text of a passage as it may be shown; null where its source is gone. Undefined where this thread cannot
   * read it and the main thread can. Never rejects.
   */
  readonly readPassage: (document: DocumentHead, snapshot: Snapshot) => Promise<string | null | undefined>
  /** Records whether a query found something; null where the main thread has to answer a query without hits. */
  readonly record: ((outcome: SearchOutcome) => Promise<void>) | null
}

/** Builds every configured tier from nothing; resolves when each new index answers, or with why one does not. */
export type RebuildSearch = () => Promise<Either<RefusalOf<'Overloaded'>, SearchRebuilt>>

/**
 * What the node provides to the front, its handlers and the tasks of jobs, beside the snapshot. Functions return the
 * value at the time of the call.
 */
export interface Host extends HostProcess, WriteGate, RemoteSync, FleetDuty, IdentityPorts {
  readonly requestCount: () => number
  /** Starts the shutdown, as SIGTERM does; running requests are still answered. */
  readonly shutdown: () => void
  readonly jobs: Jobs
  /** The events of this host, live and stored (A 6). */
  readonly events: EventFeed
  readonly logs: ReadLogs
  /** The history of the served commit; null on a plain directory. */
  readonly history: GitHistory | null
  /** Whether the trailers of a commit are authentic. */
  readonly isVerified: IsVerified
  readonly delivery: Deliveries
  readonly interactions: Interactions
  readonly takeovers: Takeovers
  readonly peers: Peers
  /** The view of the outside monitor, from memory (S9). */
  readonly monitor: () => FleetMonitor
  readonly derived: DerivedArtifacts
  readonly players: OnlinePlayers
  readonly search: SearchPorts
  readonly misses: () => Misses
  readonly searchReadings: () => ReadonlyArray<TierReading>
  readonly rebuildSearch: RebuildSearch
  readonly transcripts: TranscriptIndex
  /** What the index of mentions describes. */
  readonly mentionIndex: () => MentionIndexState
  /** What transcripts and sessions show of lineages. */
  readonly evidence: ReadEvidence
  /** Whether this host writes the sample store. */
  readonly hasSampleStore: () => boolean
  /** What this host could not fetch. */
  readonly logFailures: LogFailures
  readonly logFetching: LogFetching
  readonly readTuning: ReadTuningFile
  readonly models: Models
  readonly measureMaps: MeasureMaps
  /** Maps of a slice that does not say how many. */
  readonly mapsPerBatch: number
}

/** The bytes of a file of the fine-tuning store; null where they cannot be read now. Never rejects. */
export type ReadTuningFile = (file: Pick<TuningFile, 'path' | 'blob' | 'bytes'>) => Promise<Buffer | null>

/** What a query found, for the list of those that find nothing. */
interface SearchOutcome extends Asked {
  readonly query: string
  readonly tiers: SearchPage['Searched']
  readonly total: number
  readonly commit: string | null
}

interface ThreadEvents<I> {
  readonly said: (message: I) => void
  /** Called once, last. `error` is what the thread threw. */
  readonly ended: (how: ThreadEnd, error: unknown) => void
}

/** The size of a picture in pixels, or why it is not known. */
export type PictureSize =
  | { readonly _tag: 'Size'; readonly width: number; readonly height: number }
  | { readonly _tag: 'NoSize'; readonly reason: DimensionFault }

/** Reads the size of the picture at an address that is not trusted. Never rejects, and ends within its limits. */
export type MeasurePicture = (url: string, signal: AbortSignal) => Promise<PictureSize>

/** A map and the address of its picture. */
export interface MapPicture {
  readonly name: string
  readonly url: string
}

/** What a run of measurements found. */
export interface MapsMeasured {
  /** `wymiary` is the size in tiles, as `96x64`. */
  readonly sizes: ReadonlyArray<MapPicture & { readonly wymiary: string }>
  readonly failed: ReadonlyArray<MapFailure>
  /** How many maps the run came to, from the first on. */
  readonly reached: number
  readonly budgetExhausted: boolean
  /** Transport faults in a row at the end of the run. */
  readonly failures: number
}

export interface MeasureLimits {
  /** No map is begun after this time. */
  readonly maxMs: number
  /** Transport faults in a row before the run. */
  readonly failures: number
  /** Ends the run, also within a request. */
  readonly signal: AbortSignal
  /** Whether someone still waits for the result. */
  readonly isWanted: () => boolean
}

/** Measures the pictures of maps, one after the other. Refuses while this host measures others. Never rejects. */
export type MeasureMaps = (
  maps: ReadonlyArray<MapPicture>,
  limits: MeasureLimits,
) => Promise<Either<RefusalOf<'Overloaded'>, MapsMeasured>>

/** How far the sweeps of the maps have come on this host. */
export interface MapCheckup {
  /** Place in the catalogue that the next tick begins at. */
  readonly cursor: number
  /** Transport faults in a row up to now. */
  readonly failures: number
  /** Before this wall time a tick does nothing. */
  readonly dueMs: number
}

/** The state of the map checkup. It outlives the process. */
export interface MapCheckupStore {
  /** Null where no tick has ended yet. */
  readonly find: () => MapCheckup | null
  /** On disk when it returns. Throws where the disk refuses. */
  readonly keep: (state: MapCheckup) => void
}
