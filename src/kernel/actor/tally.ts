import type { DeadLetterReason, MessageResult } from '#protocol/kernel/vocabulary.js'
import type { Core } from '../core.js'
import { isPowerOfTwo } from './record.js'

/**
 * The message counts of one actor (S33): each message in `sent` is in exactly one of the other columns once
 * settled.
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
 * The number of poison messages set aside (D8): those that faulted the actor, and those it was stuck with.
 */
export const quarantinedOf = (tally: Readonly<Tally>): number => tally.error + tally.timeout

export const countDeadLetter = (core: Core, actor: string, tally: Tally, reason: DeadLetterReason): void => {
  tally.deadLetters += 1
  tally.byReason[reason] += 1
  core.meter.deadLetter(actor, reason)
  const count = tally.byReason[reason]
  if (isPowerOfTwo(count)) core.log({ event: 'dead_letter', actor, reason, count })
}

export const countRejection = (core: Core, actor: string, tally: Tally): void => {
  tally.rejected += 1
  core.meter.rejected(actor)
}

const column = { ok: 'ok', error: 'error', timeout: 'timeout', stale_incarnation: 'stale' } as const

export const countDone = (
  core: Core,
  actor: string,
  tally: Tally,
  message: string,
  result: MessageResult,
): void => {
  tally[column[result]] += 1
  core.meter.messageDone(actor, message, result)
  if (result !== 'error' && result !== 'timeout') return
  core.meter.quarantined(actor)
  const count = quarantinedOf(tally)
  if (isPowerOfTwo(count)) core.log({ event: 'quarantined', actor, message, count })
}
