import * as t from 'io-ts'

/** An interaction was recorded. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** To self: what ran before this incarnation is queued again. */
const Recovered = t.type({ _tag: t.literal('Recovered') })
/** To self: a tick is due. */
const Tick = t.type({ _tag: t.literal('Tick') })
/** To self: an attempt has ended. */
const Attempted = t.type({ _tag: t.literal('Attempted') })
/** To self: nothing is due for this long; null: nothing waits. */
const NoneDue = t.type({ _tag: t.literal('NoneDue'), inMs: t.union([t.number, t.null]) })
/** To self: the disk refused, with the code of its error. */
const DiskRefused = t.type({ _tag: t.literal('DiskRefused'), code: t.string })

export const DispatchQueueMessage = t.union(
  [Wake, Recovered, Tick, Attempted, NoneDue, DiskRefused],
  'DispatchQueueMessage',
)
export type DispatchQueueMessage = t.TypeOf<typeof DispatchQueueMessage>
