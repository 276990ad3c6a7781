import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type Tier, tiers } from '#protocol/atoms.js'
import type { RankQuestion } from '#src/domain/search/ranking.js'
import type { RankAnswer, SearchAsker, TierState } from '#src/domain/search/search-page.js'
import type { AnswerOnLine, AskOnLine, TierNotice } from './threads/messages.js'

/** An asker that receives the states of the tiers, on the main thread or on a reader thread. */
export interface TierAsker extends SearchAsker {
  readonly notice: (notice: TierNotice) => void
  /** Closes every line; what waits is answered as `Failed`. */
  readonly close: () => void
}

export const tierAsker = ({ lateMs, openMax }: AskerLimits = realLimits): TierAsker => {
  const slotOf = (): Slot => ({ state: { _tag: 'Disabled' }, line: null, waiting: new Set() })
  const slots: Readonly<Record<Tier, Slot>> = {
    lore: slotOf(),
    session: slotOf(),
    speech: slotOf(),
    external: slotOf(),
  }
  const watchers: Array<() => void> = []
  let lastId = 0
  return {
    states: () => ({
      lore: slots.lore.state,
      session: slots.session.state,
      speech: slots.speech.state,
      external: slots.external.state,
    }),
    watch: changed => void watchers.push(changed),
    rank: (tier, question) => {
      const slot = slots[tier]
      if (slot.state._tag !== 'Live') return Promise.resolve({ _tag: slot.state._tag })
      const open = slot.waiting.size + (slot.line?.open.size ?? 0)
      if (open >= openMax) return Promise.resolve({ _tag: 'Failed', reason: 'full' })
      lastId += 1
      return askSlot(slot, lastId, question, lateMs)
    },
    notice: ({ tier, state, port }) => {
      const slot = slots[tier]
      slot.state = state
      if (port !== null) takeLine(slot, port)
      if (state._tag !== 'Live') for (const rank of [...slot.waiting]) rank.answered({ _tag: state._tag })
      for (const watcher of watchers) watcher()
    },
    close: () => {
      for (const tier of tiers) closeSlot(slots[tier])
    },
  }
}

/** Takes the notices of one asker; the port of a notice is the asker's from then on. */
export type TellAsker = (notice: TierNotice) => void

/** Connects every asker with the thread that answers for each tier. */
export interface SearchExchange {
  /** Adds an asker, which receives the state of every tier at once; returns a function that removes it. */
  readonly join: (tell: TellAsker) => () => void
  readonly setState: (tier: Tier, state: TierState) => void
  /** Gives every asker a line to the thread that answers from now on. */
  readonly connect: (tier: Tier, thread: (port: MessagePort) => void, state: TierState) => void
  /** Gives out no more lines to the thread, which ended, where it is the one that answers. */
  readonly disconnect: (tier: Tier, thread: (port: MessagePort) => void) => void
  readonly states: () => ReadonlyMap<Tier, TierState>
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
    disconnect: (tier, thread) => {
      const now = held.get(tier)
      if (now?.thread === thread) now.thread = null
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

interface OpenRank {
  readonly id: number
  readonly question: RankQuestion
  readonly answered: (answer: RankAnswer) => void
  /** How many threads ended over it. */
  ends: number
}

/** A line to one thread and the questions that it has not answered. */
interface Line {
  readonly port: MessagePort
  readonly open: Map<number, OpenRank>
  isRetired: boolean
}

interface Slot {
  state: TierState
  line: Line | null
  /** Questions that wait for the next thread. */
  readonly waiting: Set<OpenRank>
}

interface AskerLimits {
  /** A question that has no answer by then has failed. */
  readonly lateMs: number
  /** Questions of one tier at a time. */
  readonly openMax: number
}

const realLimits: AskerLimits = { lateMs: 5_000, openMax: 1_024 }

/** A question that ended this many threads is given to no other. */
const endsMax = 2

/** Sends a question to the thread of a tier, or lets it wait for the next one, where there will be one soon. */
const sendRank = (slot: Slot, rank: OpenRank): void => {
  if (slot.state._tag !== 'Live') return rank.answered({ _tag: slot.state._tag })
  if (slot.line === null) {
    slot.waiting.add(rank)
    return
  }
  slot.line.open.set(rank.id, rank)
  const message: AskOnLine = { id: rank.id, question: rank.question }
  slot.line.port.postMessage(message)
}

const closeIfDone = (line: Line): void => {
  if (line.isRetired && line.open.size === 0) line.port.close()
}

/** Opens a line. When its thread ends, its questions go to the next one, unless they ended too many. */
const openLine = (slot: Slot, port: MessagePort): Line => {
  const line: Line = { port, open: new Map(), isRetired: false }
  port.on('message', ({ id, ...answer }: AnswerOnLine) => {
    const rank = line.open.get(id)
    line.open.delete(id)
    rank?.answered({ _tag: 'Ranked', ...answer })
    closeIfDone(line)
  })
  port.on('close', () => {
    if (slot.line === line) slot.line = null
    for (const rank of line.open.values()) {
      rank.ends += 1
      if (rank.ends >= endsMax) rank.answered({ _tag: 'Failed', reason: 'ended' })
      else sendRank(slot, rank)
    }
    line.open.clear()
  })
  port.unref()
  return line
}

/** Replaces the line of a slot; the one before closes with its last answer. */
const takeLine = (slot: Slot, port: MessagePort): void => {
  const before = slot.line
  slot.line = openLine(slot, port)
  if (before !== null) {
    before.isRetired = true
    closeIfDone(before)
  }
  for (const rank of slot.waiting) sendRank(slot, rank)
  slot.waiting.clear()
}

const askSlot = (slot: Slot, id: number, question: RankQuestion, lateMs: number): Promise<RankAnswer> =>
  new Promise(resolve => {
    const answered = (answer: RankAnswer): void => {
      clearTimeout(timer)
      slot.waiting.delete(rank)
      slot.line?.open.delete(id)
      resolve(answer)
    }
    const timer = setTimeout(() => answered({ _tag: 'Failed', reason: 'late' }), lateMs)
    timer.unref()
    const rank: OpenRank = { id, question, answered, ends: 0 }
    sendRank(slot, rank)
  })

const closeSlot = (slot: Slot): void => {
  const ranks = [...slot.waiting, ...(slot.line?.open.values() ?? [])]
  for (const rank of ranks) rank.answered({ _tag: 'Failed', reason: 'ended' })
  slot.line?.port.close()
}

interface Held {
  state: TierState
  thread: ((port: MessagePort) => void) | null
}
