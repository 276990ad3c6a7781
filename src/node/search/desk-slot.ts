import type { SearchTierMessage } from '#actors/search-tier.js'
import type { Tier } from '#protocol/atoms.js'
import type { TroubleCause, TroubleDuring } from '#protocol/search.js'
import type { DocumentPort } from '#src/domain/search/document.js'
import type { TierTrouble } from '#src/domain/search/search-page.js'
import type { Cancel, KernelClock } from '#src/kernel/time/clock.js'
import type { Thread, ThreadEnd } from '#src/ports/host.js'
import type { Meter } from '#src/ports/records.js'
import type { Log } from '../records/log.js'
import type { Versions } from './changes-of.js'
import type { SearchExchange } from './exchange.js'
import type { OpenSearchThreads } from './threads/open-search-threads.js'
import type { LoadedIndex, ToRanker } from './threads/tier-messages.js'

/** A thread that ranks, as the main thread sees it. */
export interface Ranker {
  readonly thread: Thread<ToRanker>
  readonly number: number
  /** What the thread loaded; null before. */
  loaded: LoadedIndex | null
  /** The versions of the sources in the main part, and in the index with its changes. */
  main: Versions
  held: Versions
  stamp: string
  documents: number
  changes: number
  /** Whether the last changes were too many for the thread. */
  isBehind: boolean
  /** False once the thread was ended or retired: it is not heard any more. */
  isWanted: boolean
  /** Takes back the end of a retired thread. */
  retired: Cancel | null
}

/** A build that runs. */
export interface BuildRun {
  /** Ends its thread; nothing is reported. */
  readonly abandon: () => void
}

/** One tier at the desk. */
export interface DeskSlot {
  readonly tier: Tier
  readonly port: DocumentPort
  readonly rankers: Map<number, Ranker>
  /** The number of the thread that answers. */
  answering: number | null
  run: BuildRun | null
  trouble: TierTrouble | null
  /** Whether the saved index was loaded since the start, or cannot be. */
  isSettled: boolean
}

/** What the desk works with. */
export interface DeskContext {
  /** Where indexes are saved; the first build makes it. */
  readonly folder: string
  readonly open: OpenSearchThreads
  readonly tell: (message: SearchTierMessage) => void
  readonly clock: KernelClock
  readonly meter: Meter
  readonly log: Pick<Log, 'warn'>
  readonly exchange: SearchExchange
  /** Called when a slot settles. */
  readonly settled: () => void
}

export const deskSlot = (tier: Tier, port: DocumentPort): DeskSlot => ({
  tier,
  port,
  rankers: new Map(),
  answering: null,
  run: null,
  trouble: null,
  isSettled: false,
})

export const answeringOf = (slot: DeskSlot): Ranker | undefined =>
  slot.answering === null ? undefined : slot.rankers.get(slot.answering)

export const settleSlot = (context: DeskContext, slot: DeskSlot): void => {
  slot.isSettled = true
  context.settled()
}

/** Why something could not be used; the reason is for the log alone, since it may name folders of the host. */
export interface Trouble {
  readonly cause: TroubleCause
  readonly reason: string
}

/** Remembers and reports what could not be used. */
export const noteTrouble = (
  { clock, log, meter }: DeskContext,
  slot: DeskSlot,
  during: TroubleDuring,
  { cause, reason }: Trouble,
): void => {
  slot.trouble = { atMs: clock.nowMs(), during, cause }
  meter.count('svc_search_troubles_total', { tier: slot.tier, during })
  log.warn('search_trouble', { tier: slot.tier, during, cause, reason })
}

export const describeEnd = (how: ThreadEnd, error: unknown): Trouble => ({
  cause: how === 'memory' ? 'memory' : 'ended',
  reason: `its thread ended (${how}${error instanceof Error ? `: ${error.message}` : ''})`,
})

/** More changed documents than this, in proportion to the tier, are merged in the background. */
export const mergeAt = (documents: number): number => 256 + documents * 0.02

/** More changed documents than this wait for the merge: a thread gets none of them. */
export const behindAt = (documents: number): number => 8 * mergeAt(documents)
