import type { ThreadEnd } from '#src/ports/host.js'
import {
  answeringOf,
  type DeskContext,
  type DeskSlot,
  describeEnd,
  mergeAt,
  noteTrouble,
  type Ranker,
  settleSlot,
} from './desk-slot.js'
import type { FromRanker } from './threads/tier-messages.js'

/** Tells the askers and the metrics what the answering thread of a tier has now. */
export const publishTier = ({ exchange, meter }: DeskContext, slot: DeskSlot): void => {
  const now = answeringOf(slot)
  if (now === undefined || now.loaded === null) return
  const { engine } = now.loaded
  const { stamp, documents } = now
  meter.gauge('svc_search_documents', { tier: slot.tier }, documents)
  exchange.setState(slot.tier, { _tag: 'Live', engine, stamp, documents })
}

const onMessage = (context: DeskContext, slot: DeskSlot, one: Ranker, message: FromRanker): void => {
  const { tier } = slot
  const { number: ranker } = one
  switch (message._tag) {
    case 'Loaded':
      one.loaded = message
      one.main = new Map(message.versions)
      one.held = one.main
      one.stamp = message.stamp
      one.documents = message.documents
      return context.tell({ _tag: 'Loaded', tier, ranker })
    case 'Absent':
      if (message.reason !== null)
        noteTrouble(context, slot, 'loading', { cause: 'damaged', reason: message.reason })
      if (slot.answering === null) context.exchange.setState(tier, { _tag: 'Starting' })
      settleSlot(context, slot)
      return context.tell({ _tag: 'Absent', tier, ranker })
    case 'Applied': {
      one.stamp = message.stamp
      one.documents = message.documents
      one.changes = message.changes
      if (slot.answering === ranker) publishTier(context, slot)
      const isLarge = message.changes > mergeAt(message.documents)
      return context.tell({ _tag: 'Fed', tier, ranker, isBehind: one.isBehind, isLarge })
    }
  }
}

const onEnd = (context: DeskContext, slot: DeskSlot, one: Ranker, how: ThreadEnd, error: unknown): void => {
  const { number: ranker } = one
  if (slot.rankers.get(ranker) === one) slot.rankers.delete(ranker)
  one.retired?.()
  if (!one.isWanted) return
  one.isWanted = false
  noteTrouble(context, slot, slot.answering === ranker ? 'ranking' : 'loading', describeEnd(how, error))
  if (slot.answering === ranker) {
    slot.answering = null
    context.exchange.disconnect(slot.tier)
  }
  settleSlot(context, slot)
  context.tell({ _tag: 'RankerEnded', tier: slot.tier, ranker })
}

/** Starts a thread that loads the saved index of a tier. */
export const startRanker = (context: DeskContext, slot: DeskSlot, number: number): void => {
  const { clock, folder, meter, open } = context
  const { tier } = slot
  const sinceMs = clock.monotonicMs()
  const thread = open.ranker({
    said: message => {
      if (!one.isWanted) return
      if (message._tag === 'Loaded')
        meter.observe('svc_search_load_seconds', { tier }, (clock.monotonicMs() - sinceMs) / 1000)
      onMessage(context, slot, one, message)
    },
    ended: (how, error) => onEnd(context, slot, one, how, error),
  })
  const one: Ranker = {
    thread,
    number,
    loaded: null,
    main: new Map(),
    held: new Map(),
    stamp: '',
    documents: 0,
    changes: 0,
    isBehind: false,
    isWanted: true,
    retired: null,
  }
  slot.rankers.set(number, one)
  thread.post({ _tag: 'Load', folder, tier })
}

/** Ends a thread without a report. */
export const dropRanker = (one: Ranker): void => {
  one.isWanted = false
  one.thread.end()
}
