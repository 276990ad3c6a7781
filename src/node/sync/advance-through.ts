import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Advance, AdvanceFailure, HoldGate } from '#actors/repository-sync/attempt.js'
import type { AdvanceOutcome, HeldWork, Job, Released } from '#actors/write-gate/messages.js'
import { type AskFailure, ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import type { Clock } from '#src/kernel/time/clock.js'

/** How long writes that came before may take. */
const turnDeadlineMs = 120_000

const awayWords = ({ _tag }: AskFailure): string => `the write gate is away: ${_tag}`

/** A gate that did not take the message did nothing; of any other failure nobody knows whether the branch moved. */
const failureOf = (failure: AskFailure): AdvanceFailure => {
  const isUntaken = failure._tag === 'Full' || failure._tag === 'Gone' || failure._tag === 'Unavailable'
  return { _tag: isUntaken ? 'Away' : 'Unknown', reason: awayWords(failure) }
}

const resultOf = (outcome: AdvanceOutcome): Either<AdvanceFailure, void> =>
  outcome._tag === 'Advanced' ? right(undefined) : left(outcome)

/** A move of the branch through the gate; a gate that is away is a failure that names it. */
export const advanceThrough =
  (gate: Ref<Job>): Advance =>
  async (from, to, reason) => {
    const asked = (replyTo: ReplyTo<AdvanceOutcome>): Job => ({
      _tag: 'Advance',
      from,
      to,
      reason,
      replyTo,
    })
    const answer = await ask<Job, AdvanceOutcome>(gate, asked, turnDeadlineMs)
    return isLeft(answer) ? left(failureOf(answer.left)) : resultOf(answer.right)
  }

/**
 * Runs work while the gate lands no write of this host. The work is given up after `limitMs`, and where the gate ends
 * or does not answer; what began is waited for, so that its result is the truth. Left: it never began.
 */
export const holdThrough =
  (gate: Ref<Job>, clock: Pick<Clock, 'after'>): HoldGate =>
  async <A>(
    work: (advance: Advance, signal: AbortSignal) => Promise<A>,
    limitMs: number,
  ): Promise<Either<string, A>> => {
    const given = new AbortController()
    const begun: Array<Promise<A>> = []
    const held: HeldWork = async (advance, signal) => {
      if (given.signal.aborted) return
      const cancel = clock.after(limitMs, () => given.abort())
      const moved: Advance = async (from, to, reason) => resultOf(await advance({ from, to, reason }))
      const result = work(moved, AbortSignal.any([signal, given.signal]))
      begun.push(result)
      await result.finally(cancel)
    }
    const asked = (replyTo: ReplyTo<Released>): Job => ({ _tag: 'Hold', work: held, replyTo })
    const answer = await ask<Job, Released>(gate, asked, turnDeadlineMs + limitMs)
    if (isLeft(answer)) given.abort()
    const [result] = begun
    if (result !== undefined) return right(await result)
    return left(isLeft(answer) ? awayWords(answer.left) : 'the write gate did not begin the work')
  }
