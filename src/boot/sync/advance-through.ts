import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Advance } from '#actors/repository-sync/attempt.js'
import type { AdvanceOutcome, Advance as AdvanceRequest, Job } from '#actors/write-gate/messages.js'
import { ask, type Ref, type ReplyTo } from '#src/kernel/ref.js'

const advanceDeadlineMs = 120_000
/** A move of the branch through the gate; a gate that is away is a failure that names it. */
export const advanceThrough =
  (gate: Ref<Job>): Advance =>
  async (from, to, reason) => {
    const asked = (replyTo: ReplyTo<AdvanceOutcome>): AdvanceRequest => ({
      _tag: 'Advance',
      from,
      to,
      reason,
      replyTo,
    })
    const answer = await ask<Job, AdvanceOutcome>(gate, asked, advanceDeadlineMs)
    if (isLeft(answer)) return left({ _tag: 'Failed', reason: `the write gate is away: ${answer.left._tag}` })
    return answer.right._tag === 'Advanced' ? right(undefined) : left(answer.right)
  }
