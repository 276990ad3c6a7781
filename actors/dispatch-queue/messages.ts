import * as t from 'io-ts'
import type { DispatchAttempt } from '#protocol/chat/dispatch.js'
import type { DispatchSettlement } from '#src/domain/dispatch/settle-attempt.js'

/** An attempt that has ended, without its variables, and what follows from it. It is not on record yet. */
export interface SettledDispatch {
  readonly attempt: Omit<DispatchAttempt, 'vars'>
  readonly settlement: DispatchSettlement
}

const isSettled = (u: unknown): u is SettledDispatch =>
  typeof u === 'object' && u !== null && 'attempt' in u && 'settlement' in u

/** Passed by reference: it comes from the attempt that this actor made. */
const Settled = new t.Type<SettledDispatch, SettledDispatch, unknown>(
  'SettledDispatch',
  isSettled,
  (u, context) => (isSettled(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

/** An interaction was recorded. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** The lore is read for the first time: what waited for it is due. */
const LoreRead = t.type({ _tag: t.literal('LoreRead') })
/** To self: what ran before this incarnation is queued again. */
const Recovered = t.type({ _tag: t.literal('Recovered') })
/** To self: a tick is due. */
const Tick = t.type({ _tag: t.literal('Tick') })
/** To self: an attempt has ended. */
const Attempted = t.type({ _tag: t.literal('Attempted'), settled: Settled })
/** To self: nothing is due for this long; null: nothing waits. */
const NoneDue = t.type({ _tag: t.literal('NoneDue'), inMs: t.union([t.number, t.null]) })
/** To self: the disk refused, with the code of its error. */
const DiskRefused = t.type({ _tag: t.literal('DiskRefused'), code: t.string })
/** The host ends. */
const Drain = t.type({ _tag: t.literal('Drain') })
/** To self: the last attempt before the end is on record. */
const LastRecorded = t.type({ _tag: t.literal('LastRecorded') })

export const DispatchQueueMessage = t.union(
  [Wake, LoreRead, Recovered, Tick, Attempted, NoneDue, DiskRefused, Drain, LastRecorded],
  'DispatchQueueMessage',
)
export type DispatchQueueMessage = t.TypeOf<typeof DispatchQueueMessage>
