import type { Loaded } from '#actors/corpus-keeper/load.js'
import {
  type PublishedInputs,
  type ReaderConnection,
  type ReaderEvents,
  type ReaderExchange,
  readerExchange,
} from '#actors/reader-pool/exchange.js'
import type { ThreadReport } from '#actors/reader-pool/reader-pool.js'
import { readerLimits } from '#actors/reader-pool/schedule.js'
import { workerThreads } from '#src/adapters/worker-thread.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { type KernelClock, realClock } from '#src/kernel/time/clock.js'
import { nextLoopTurn } from '#src/kernel/time/loop-turn.js'
import type { OpenThread, Thread } from '#src/ports/host.js'
import type { Meter } from '#src/ports/records.js'
import type { Inputs } from '#src/snapshot/build.js'
import type { Cell } from '#src/snapshot/cell.js'
import { deltaOf, findChangedFiles } from '#src/snapshot/readers/delta.js'
import { FromThread, type ToThread } from '#src/snapshot/readers/thread-messages.js'
import type { Log } from '../records/records.js'
import type { TierNotice } from '../search/threads/messages.js'
import type { SearchExchange } from '../search/tier-asker.js'

export interface Readers {
  readonly threads: number
  readonly exchange: ReaderExchange
}

/** The reader threads of a node. They follow the cell with the snapshot; their actor starts them. */
export const nodeReaders = (ports: ReadersPorts): Readers => {
  const { threads, held, pool, meter, log } = ports
  const exchange = readerExchange({
    threads,
    limits: readerLimits(threads),
    connect: connectReader({ ...ports, clock: realClock }),
    current: () => {
      const loaded = held.get()
      return loaded && { generation: loaded.build.snapshot.generation, inputs: loaded.inputs }
    },
    report: report => void tell(pool, report),
    clock: realClock,
    meter,
    log,
  })
  held.watch(exchange.published)
  return { threads, exchange }
}

/** Messages to a reader thread: those of its generations, and the states of the search tiers. */
export type ToReader = ToThread | ({ readonly _tag: 'Search' } & TierNotice)

export type OpenReader = OpenThread<ToReader, FromThread>

export interface ConnectPorts {
  readonly open: OpenReader
  /** Adds a thread to the askers of the search tiers; returns a function that removes it. */
  readonly joinSearch: SearchExchange['join']
  readonly clock: Pick<KernelClock, 'monotonicMs'>
  readonly meter: Pick<Meter, 'observe'>
}

/** Starts a thread and connects to it. The connection remembers what it sent, so that it sends only changes. */
export const connectReader =
  ({ open, joinSearch, clock, meter }: ConnectPorts) =>
  (events: ReaderEvents): ReaderConnection => {
    let has: Inputs | null = null
    let [isOpen, followMs] = [true, 0]
    let gone = (): void => undefined
    const isGone = new Promise<void>(resolve => {
      gone = resolve
    })
    const thread = open({
      said: message => {
        if (!isOpen) return
        if (message._tag === 'Up') return events.up()
        if (message._tag !== 'Followed') {
          const { id, ...answer } = message
          return events.answered(
            id,
            'bytes' in answer ? { ...answer, bytes: Buffer.from(answer.bytes) } : answer,
          )
        }
        meter.observe('svc_reader_follow_seconds', {}, (clock.monotonicMs() - followMs) / 1000)
        events.followed(message.generation)
      },
      ended: (how, error) => {
        gone()
        if (!isOpen) return
        close()
        events.ended(how, error)
      },
    })
    const leaveSearch = joinSearch(notice =>
      thread.post({ _tag: 'Search', ...notice }, notice.port === null ? [] : [notice.port]),
    )
    const close = (): void => {
      isOpen = false
      leaveSearch()
    }
    return {
      follow: target => {
        if (target === null) return
        followMs = clock.monotonicMs()
        void sendInputs(thread, has, target, () => isOpen).catch(() => thread.end())
        has = target.inputs
      },
      ask: (id, question) => {
        try {
          thread.post({ _tag: 'Ask', id, question })
          return true
        } catch {
          // A value that cannot be cloned: the main thread answers.
          return false
        }
      },
      end: () => thread.end(),
      drop: () => {
        close()
        thread.end()
        return isGone
      },
    }
  }

/** Eight times the heap of a reader for a world at scale 10 (ADR 1005). */
const heapMbMax = 2048

/** Opens a reader thread of the built daemon. */
export const openReader: OpenReader = workerThreads({
  entry: new URL('./reader-thread.js', import.meta.url),
  says: FromThread,
  heapMbMax,
})

interface ReadersPorts extends Pick<ConnectPorts, 'open' | 'joinSearch'> {
  readonly threads: number
  readonly held: Cell<Loaded>
  readonly pool: Ref<ThreadReport>
  readonly meter: Meter
  readonly log: Log
}

/** Sends the changed files and the inputs. Posts to a thread that ended are lost; its end is reported. */
const sendInputs = async (
  { post }: Thread<ToReader>,
  before: Inputs | null,
  { inputs, generation }: PublishedInputs,
  isOpen: () => boolean,
): Promise<void> => {
  for (const files of cutFiles(findChangedFiles(before, inputs))) {
    post({ _tag: 'Files', files })
    await nextLoopTurn()
    if (!isOpen()) return
  }
  post({ _tag: 'Follow', delta: deltaOf(before, inputs, generation) })
}

/** About how many characters are sent in one turn of the loop: about 100 microseconds. */
const charsPerTurn = 256 * 1024

const cutFiles = (files: ReadonlyArray<SourceFile>): ReadonlyArray<ReadonlyArray<SourceFile>> => {
  const cut: Array<Array<SourceFile>> = []
  let chars = charsPerTurn
  for (const file of files) {
    if (chars >= charsPerTurn) {
      cut.push([])
      chars = 0
    }
    cut[cut.length - 1]?.push(file)
    chars += file.text.length
  }
  return cut
}
