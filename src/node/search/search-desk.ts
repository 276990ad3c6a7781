import type { SearchTierPorts } from '#actors/search-tier.js'
import { type Tier, tiers } from '#protocol/atoms.js'
import type { DocumentPort } from '#src/domain/search/document.js'
import type { TierReading } from '#src/domain/search/search-page.js'
import { answeringOf, type DeskContext, type DeskSlot, deskSlot } from './desk-slot.js'
import { type SearchExchange, searchExchange } from './exchange.js'
import { feedRanker, promoteRanker } from './feed-ranker.js'
import { runBuild } from './run-build.js'
import { dropRanker, startRanker } from './start-ranker.js'

export interface SearchDeskSetup extends Omit<DeskContext, 'exchange' | 'settled'> {
  /** The tiers that the configuration turns on. */
  readonly tiers: ReadonlyArray<Tier>
  readonly documents: (tier: Tier) => DocumentPort
}

/** The threads of the search tiers: their actor starts and ends them, and askers get lines to them. */
export interface SearchDesk extends SearchTierPorts {
  readonly exchange: SearchExchange
  /** Every tier, in their order. */
  readonly readings: () => ReadonlyArray<TierReading>
  /** Resolves when each tier has loaded its saved index or cannot, at the latest after `atMostMs`. */
  readonly savedLoaded: (atMostMs: number) => Promise<void>
}

const readingOf = (tier: Tier, slot: DeskSlot | undefined): TierReading => {
  const now = slot === undefined ? undefined : answeringOf(slot)
  return {
    tier,
    state: slot === undefined ? 'disabled' : now === undefined ? 'starting' : 'live',
    isBuilding: slot !== undefined && slot.run !== null,
    engine: now?.loaded?.engine ?? null,
    stamp: now?.stamp ?? null,
    documents: now?.documents ?? 0,
    changes: now?.changes ?? 0,
    trouble: slot?.trouble ?? null,
  }
}

const resetSlot = (slot: DeskSlot, exchange: SearchExchange): void => {
  for (const one of slot.rankers.values()) dropRanker(one)
  slot.rankers.clear()
  slot.run?.abandon()
  slot.answering = null
  exchange.disconnect(slot.tier)
}

/** Runs the threads of the tiers; see `SearchDesk`. */
export const searchDesk = ({ tiers: configured, documents, ...setup }: SearchDeskSetup): SearchDesk => {
  const slots = new Map<Tier, DeskSlot>()
  const onSettled = new Set<() => void>()
  let isClosed = false
  const exchange = searchExchange(configured)
  const context: DeskContext = {
    ...setup,
    exchange,
    settled: () => {
      for (const check of onSettled) check()
    },
  }
  for (const tier of configured) {
    const port = documents(tier)
    port.watch(() => {
      if (!isClosed) setup.tell({ _tag: 'Changed', tier })
    })
    slots.set(tier, deskSlot(tier, port))
  }
  const at = (tier: Tier, act: (slot: DeskSlot) => void): void => {
    const slot = slots.get(tier)
    if (slot !== undefined) act(slot)
  }
  const reset = (): Promise<void> => {
    for (const slot of slots.values()) resetSlot(slot, exchange)
    return Promise.resolve()
  }
  return {
    exchange,
    reset,
    close: () => {
      isClosed = true
      return reset()
    },
    start: (tier, ranker) => at(tier, slot => startRanker(context, slot, ranker)),
    stop: (tier, ranker) =>
      at(tier, slot => {
        const one = slot.rankers.get(ranker)
        if (one !== undefined) dropRanker(one)
      }),
    feed: (tier, ranker) => at(tier, slot => feedRanker(context, slot, ranker)),
    promote: (tier, ranker) => at(tier, slot => promoteRanker(context, slot, ranker)),
    build: (tier, build, isFresh) => at(tier, slot => runBuild(context, slot, build, isFresh)),
    readings: () => tiers.map(tier => readingOf(tier, slots.get(tier))),
    savedLoaded: atMostMs =>
      new Promise(resolve => {
        const done = (): void => {
          onSettled.delete(check)
          cancel()
          resolve()
        }
        const check = (): void => {
          if ([...slots.values()].every(({ isSettled }) => isSettled)) done()
        }
        const cancel = setup.clock.after(atMostMs, done)
        onSettled.add(check)
        check()
      }),
  }
}
