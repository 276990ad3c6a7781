import { readChanged, sourceChanges } from './changes-of.js'
import {
  answeringOf,
  behindAt,
  type DeskContext,
  type DeskSlot,
  noteTrouble,
  type Ranker,
  settleSlot,
} from './desk-slot.js'
import type { ToRanker } from './tier-messages.js'

/** How long a thread that was replaced may take over its last answers. */
const retireMs = 10_000

const sendChanges = async (slot: DeskSlot, one: Ranker): Promise<void> => {
  const nothing: ToRanker = { _tag: 'Change', dropped: [], added: [], stamp: one.stamp }
  const content = slot.port.current()
  if (content === null) return one.thread.post(nothing)
  const { gone, changed } = sourceChanges(one.held, content)
  const added = changed.length === 0 ? [] : await readChanged(content, changed, behindAt(one.documents))
  one.isBehind = added === null
  if (added === null) {
    one.held = new Map([...one.held].filter(([source]) => content.sources.has(source)))
    return one.thread.post({ ...nothing, dropped: gone })
  }
  one.held = content.sources
  one.thread.post({ _tag: 'Change', dropped: [...gone, ...changed], added, stamp: content.stamp })
}

/** Sends a thread what changed since its index; it reports in any case. A source that is gone is dropped at once. */
export const feedRanker = (context: DeskContext, slot: DeskSlot, number: number): void => {
  const one = slot.rankers.get(number)
  if (one === undefined) return
  sendChanges(slot, one).catch((error: unknown) => {
    const during = slot.answering === number ? 'ranking' : 'loading'
    noteTrouble(context, slot, during, { cause: 'failed', reason: String(error) })
    one.thread.end()
  })
}

/** Lets a thread answer from now on; the one before ends once it has answered what it was asked. */
export const promoteRanker = (context: DeskContext, slot: DeskSlot, number: number): void => {
  const one = slot.rankers.get(number)
  if (one === undefined || one.loaded === null) return
  const before = answeringOf(slot)
  slot.answering = number
  const { engine } = one.loaded
  const { stamp, documents, thread } = one
  context.meter.gauge('svc_search_documents', { tier: slot.tier }, documents)
  context.exchange.connect(slot.tier, port => thread.post({ _tag: 'Connect', port }, [port]), {
    _tag: 'Live',
    engine,
    stamp,
    documents,
  })
  settleSlot(context, slot)
  if (before === undefined) return
  before.isWanted = false
  before.thread.post({ _tag: 'Retire' })
  before.retired = context.clock.after(retireMs, () => before.thread.end())
}
