import type { Loaded } from '#actors/corpus-keeper/load.js'
import type { ThreadEnded } from '#actors/reader-pool.js'
import { type Ref, tell } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Meter } from '#src/ports/records.js'
import type { Cell } from '#src/snapshot/cell.js'
import { readerLimits } from '#src/snapshot/readers/desk-state.js'
import type { Log } from '../records/log.js'
import type { SearchExchange } from '../search/exchange.js'
import type { OpenReader } from './open-reader.js'
import { type PublishedInputs, type ReaderDesk, readerDesk } from './reader-desk.js'

export interface ReadersSetup {
  readonly threads: number
  readonly open: OpenReader
  readonly held: Cell<Loaded>
  readonly pool: Ref<ThreadEnded>
  readonly meter: Meter
  readonly log: Log
  /** Adds a thread to the askers of the search tiers. */
  readonly joinSearch: SearchExchange['join']
}

export interface Readers {
  readonly threads: number
  readonly desk: ReaderDesk
}

const publishedOf = (loaded: Loaded | null): PublishedInputs | null =>
  loaded === null ? null : { generation: loaded.build.snapshot.generation, inputs: loaded.inputs }

/** The reader threads of a node. They follow the cell with the snapshot; their actor starts them. */
export const nodeReaders = ({ threads, open, held, pool, meter, log, joinSearch }: ReadersSetup): Readers => {
  const desk = readerDesk({
    threads,
    limits: readerLimits(threads),
    open,
    current: () => publishedOf(held.get()),
    ended: thread => void tell(pool, { _tag: 'Ended', thread }),
    clock: realClock,
    meter,
    log,
    joinSearch,
  })
  held.watch(desk.published)
  return { threads, desk }
}
