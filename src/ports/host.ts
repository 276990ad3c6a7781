import type { MessagePort } from 'node:worker_threads'
import type { ObeyedTopology } from '#protocol/fleet/peers.js'
import type { FleetWorkload } from '#protocol/host/config.js'

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

interface ThreadEvents<I> {
  readonly said: (message: I) => void
  /** Called once, last. `error` is what the thread threw. */
  readonly ended: (how: ThreadEnd, error: unknown) => void
}
