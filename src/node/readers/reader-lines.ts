import type { KernelClock } from '#src/kernel/time/clock.js'
import type { OpenThread } from '#src/ports/host.js'
import type { Meter } from '#src/ports/records.js'
import type { DeskEvent } from '#src/snapshot/readers/desk-state.js'
import type { ReaderAnswer } from '#src/snapshot/readers/question.js'
import type { FromThread } from '#src/snapshot/readers/thread-messages.js'
import type { Log } from '../records/log.js'
import type { TellAsker } from '../search/exchange.js'
import { type ReaderLine, readerLine } from './reader-line.js'
import type { ToReader } from './reader-messages.js'

/** The connections to the living threads. */
export interface ReaderLines {
  readonly find: (thread: number) => ReaderLine | undefined
  /** Starts a thread in place of one that ended. */
  readonly start: (thread: number) => void
  /** Ends every thread; resolves when all are gone. */
  readonly drop: () => Promise<void>
}

/** The events of the connections. */
export interface LinesEvents {
  readonly happened: (event: DeskEvent) => void
  readonly settle: (id: number, answer: ReaderAnswer) => void
}

export interface LinesSetup {
  readonly open: OpenThread<ToReader, FromThread>
  /** Adds a thread to the askers of the search tiers; returns a function that removes it. */
  readonly joinSearch: (tell: TellAsker) => () => void
  /** Called when a thread has ended, after its question was passed on. */
  readonly ended: (thread: number) => void
  readonly clock: KernelClock
  readonly meter: Meter
  readonly log: Pick<Log, 'warn'>
}

export const readerLines = (setup: LinesSetup, { happened, settle }: LinesEvents): ReaderLines => {
  const { clock, log, meter } = setup
  const lines = new Map<number, ReaderLine>()
  const leaveSearch = new Map<number, () => void>()
  const leave = (thread: number): void => {
    leaveSearch.get(thread)?.()
    leaveSearch.delete(thread)
  }
  const openLine = (thread: number): ReaderLine =>
    readerLine(setup.open, {
      up: () => happened({ _tag: 'Up', thread }),
      followed: (generation, seconds) => {
        meter.observe('svc_reader_follow_seconds', {}, seconds)
        happened({ _tag: 'Followed', thread, generation })
      },
      answered: (id, answer) => {
        settle(id, answer)
        happened({ _tag: 'Settled', thread })
      },
      ended: (how, error) => {
        lines.delete(thread)
        leave(thread)
        meter.count('svc_reader_ends_total', { cause: how })
        log.warn('reader_ended', { thread, cause: how, error })
        happened({ _tag: 'Ended', thread })
        setup.ended(thread)
      },
      monotonicMs: clock.monotonicMs,
    })
  return {
    find: thread => lines.get(thread),
    start: thread => {
      void lines.get(thread)?.drop()
      happened({ _tag: 'Started', thread })
      leave(thread)
      const line = openLine(thread)
      lines.set(thread, line)
      leaveSearch.set(thread, setup.joinSearch(line.tellSearch))
    },
    drop: async () => {
      const gone = [...lines.values()].map(line => line.drop())
      for (const thread of lines.keys()) leave(thread)
      lines.clear()
      happened({ _tag: 'Closed' })
      await Promise.all(gone)
    },
  }
}
