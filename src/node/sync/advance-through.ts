import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Advance, AdvanceFailure, HoldGate } from '#actors/repository-sync/attempt.js'
import type { AdvanceOutcome, GateRequest, Held, LeaseOver } from '#actors/write-gate/messages.js'
import { type AskFailure, ask, type Ref, type ReplyTo, tell } from '#src/kernel/actor/ref.js'
import type { Clock } from '#src/kernel/time/clock.js'

/** How long writes that came before may take. */
const turnDeadlineMs = 120_000

const awayWords = ({ _tag }: AskFailure): string => `the write gate is away: ${_tag}`

/** A gate that did not take the message did nothing; of any other failure nobody knows whether the branch moved. */
const failureOf = (failure: AskFailure): AdvanceFailure => {
  const isUntaken = failure._tag === 'Full' || failure._tag === 'Gone' || failure._tag === 'Unavailable'
  return { _tag: isUntaken ? 'Away' : 'Unknown', reason: awayWords(failure) }
}

const lapsed: AdvanceFailure = { _tag: 'Away', reason: 'the lease of the write gate is over' }

const resultOf = (outcome: AdvanceOutcome): Either<AdvanceFailure, void> => {
  if (outcome._tag === 'Advanced') return right(undefined)
  return left(outcome._tag === 'Lapsed' ? lapsed : outcome)
}

/** A move of the branch through the gate, under a lease or in its turn. A gate that is away is a failure. */
const advanceUnder =
  (gate: Ref<GateRequest>, lease: string | null): Advance =>
  async (from, to, reason) => {
    const asked = (replyTo: ReplyTo<AdvanceOutcome>): GateRequest => ({
      _tag: 'Advance',
      from,
      to,
      reason,
      lease,
      replyTo,
    })
    const answer = await ask<GateRequest, AdvanceOutcome>(gate, asked, turnDeadlineMs)
    return isLeft(answer) ? left(failureOf(answer.left)) : resultOf(answer.right)
  }

/** A move of the branch in its turn among the writes. */
export const advanceThrough = (gate: Ref<GateRequest>): Advance => advanceUnder(gate, null)

/** A lease that stands, or why there is none. */
const takeLease = async (gate: Ref<GateRequest>, limitMs: number): Promise<Either<AskFailure, string>> => {
  let lease = ''
  const asked = (replyTo: ReplyTo<Held>): GateRequest => {
    lease = replyTo.askId
    return { _tag: 'Hold', lease, limitMs, replyTo }
  }
  const answer = await ask<GateRequest, Held>(gate, asked, turnDeadlineMs)
  if (!isLeft(answer)) return right(lease)
  tell(gate, { _tag: 'Release', lease })
  return answer
}

/**
 * Runs work under a lease of the gate, which lands no write of this host meanwhile. The lease is given back after
 * `limitMs`, and the work is given up then, and where the gate ends: a move that it asks for later is refused. What
 * began is waited for, so that its result is the truth. Left: it never began.
 */
export const holdThrough =
  (gate: Ref<GateRequest>, clock: Pick<Clock, 'after'>): HoldGate =>
  async <A>(
    work: (advance: Advance, signal: AbortSignal) => Promise<A>,
    limitMs: number,
  ): Promise<Either<string, A>> => {
    const lease = await takeLease(gate, limitMs)
    if (isLeft(lease)) return left(awayWords(lease.left))
    const given = new AbortController()
    const giveBack = (): void => {
      given.abort()
      tell(gate, { _tag: 'Release', lease: lease.right })
    }
    const follow = (replyTo: ReplyTo<LeaseOver>): GateRequest => ({
      _tag: 'Follow',
      lease: lease.right,
      replyTo,
    })
    void ask<GateRequest, LeaseOver>(gate, follow, limitMs + turnDeadlineMs).then(() => given.abort())
    const cancel = clock.after(limitMs, giveBack)
    try {
      return right(await work(advanceUnder(gate, lease.right), given.signal))
    } finally {
      cancel()
      tell(gate, { _tag: 'Release', lease: lease.right })
    }
  }
