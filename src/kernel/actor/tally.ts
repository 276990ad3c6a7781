import type { DeadLetterReason, MessageResult } from '#protocol/host/kernel.js'
import type { Core } from '../core.js'
import { isPowerOfTwo } from './record.js'

/**
 * The message counts of one actor (S33). A message counts in `sent` when it is sent, and once in `rejected`,
 * `ok`, `error`, `timeout`, `stale` or `deadLetters` when it is settled. `stale` counts the messages whose
 * incarnation ended first. `byReason` divides `deadLetters`. The code that sends a message counts `sent`; the
 * functions below count the rest.
 */
export interface Tally {
  sent: number
  rejected: number
  ok: number
  error: number
  timeout: number
  stale: number
  deadLetters: number
  readonly byReason: Record<DeadLetterReason, number>
}

export const emptyTally = (): Tally => ({
  sent: 0,
  rejected: 0,
  ok: 0,
  error: 0,
  timeout: 0,
  stale: 0,
  deadLetters: 0,
  byReason: { stopped: 0, undecodable: 0, deadline: 0 },
})

/** The number of settled messages. A message that was sent and is not settled waits or is being processed. */
export const settledOf = (tally: Readonly<Tally>): number =>
  tally.rejected + tally.ok + tally.error + tally.timeout + tally.stale + tally.deadLetters

/**
 * The number of quarantined messages: those that faulted their actor (`error`), and those that it was
 * handling when it was found stuck (`timeout`). None of them is delivered again (D8).
 */
export const quarantinedOf = (tally: Readonly<Tally>): number => tally.error + tally.timeout

/** Counts a dead letter in the tally and the meter, and logs it at 1, 2, 4, 8 … of its reason. */
export const countDeadLetter = (core: Core, actor: string, tally: Tally, reason: DeadLetterReason): void => {
  tally.deadLetters += 1
  tally.byReason[reason] += 1
  core.meter.deadLetter(actor, reason)
  const count = tally.byReason[reason]
  if (isPowerOfTwo(count)) core.log({ event: 'dead_letter', actor, reason, count })
}

/** Counts in the tally and the meter a message that the full or resting actor refused. Logs nothing. */
export const countRejection = (core: Core, actor: string, tally: Tally): void => {
  tally.rejected += 1
  core.meter.rejected(actor)
}

/**
 * Counts a message that an incarnation took, in the tally and the meter. Logs a quarantined message at 1, 2,
 * 4, 8 … of the actor. `messageTag` is the `_tag` of the message; its content is never logged.
 */
export const countDone = (
  core: Core,
  actor: string,
  tally: Tally,
  messageTag: string,
  result: MessageResult,
): void => {
  tally[column[result]] += 1
  core.meter.messageDone(actor, messageTag, result)
  if (result !== 'error' && result !== 'timeout') return
  core.meter.quarantined(actor)
  const count = quarantinedOf(tally)
  if (isPowerOfTwo(count)) core.log({ event: 'quarantined', actor, message: messageTag, count })
}

const column = { ok: 'ok', error: 'error', timeout: 'timeout', stale_incarnation: 'stale' } as const
