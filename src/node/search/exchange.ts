import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type Tier, tiers } from '#protocol/atoms.js'
import type { TierState } from '#src/domain/search/search-page.js'
import type { TierNotice } from './threads/tier-messages.js'

/** Takes the notices of one asker; the port of a notice is the asker's from then on. */
export type TellAsker = (notice: TierNotice) => void

/** Connects every asker with the thread that answers for each tier. */
export interface SearchExchange {
  /** Adds an asker, which receives the state of every tier at once; returns a function that removes it. */
  readonly join: (tell: TellAsker) => () => void
  readonly setState: (tier: Tier, state: TierState) => void
  /** Gives every asker a line to the thread that answers from now on. */
  readonly connect: (tier: Tier, thread: (port: MessagePort) => void, state: TierState) => void
  /** Gives out no more lines to the thread of a tier: it ended. */
  readonly disconnect: (tier: Tier) => void
  readonly states: () => ReadonlyMap<Tier, TierState>
}

interface Held {
  state: TierState
  thread: ((port: MessagePort) => void) | null
}

export const searchExchange = (configured: ReadonlyArray<Tier>): SearchExchange => {
  const held = new Map<Tier, Held>(
    tiers.map(tier => [
      tier,
      { state: { _tag: configured.includes(tier) ? 'Starting' : 'Disabled' }, thread: null },
    ]),
  )
  const askers = new Set<TellAsker>()
  const lineTo = (thread: Held['thread']): MessagePort | null => {
    if (thread === null) return null
    const { port1, port2 } = new MessageChannel()
    thread(port1)
    return port2
  }
  return {
    states: () => new Map([...held].map(([tier, { state }]) => [tier, state])),
    join: tell => {
      askers.add(tell)
      for (const [tier, { state, thread }] of held) tell({ tier, state, port: lineTo(thread) })
      return () => void askers.delete(tell)
    },
    setState: (tier, state) => {
      const now = held.get(tier)
      if (now === undefined) return
      now.state = state
      for (const tell of askers) tell({ tier, state, port: null })
    },
    disconnect: tier => {
      const now = held.get(tier)
      if (now !== undefined) now.thread = null
    },
    connect: (tier, thread, state) => {
      const now = held.get(tier)
      if (now === undefined) return
      now.state = state
      now.thread = thread
      for (const tell of askers) tell({ tier, state, port: lineTo(thread) })
    },
  }
}
