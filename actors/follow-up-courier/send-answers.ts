import type { ChatCall, Heard } from '#protocol/chat/call.js'
import { editOriginal } from '#src/domain/chat/calls.js'
import type { AnswerTarget } from '#src/domain/dispatch/answer-target.js'
import { describeGivenUp } from '#src/domain/dispatch/describe-given-up.js'
import {
  countsAsInvalid,
  type FollowUpFailure,
  type FollowUpVerdict,
  judgeFollowUp,
} from '#src/domain/dispatch/judge-follow-up.js'
import { answerLifeMs } from '#src/domain/dispatch/queue-limits.js'
import type { DispatchStore, OwedAnswer } from '#src/ports/records/dispatches.js'

export interface AnswerPorts {
  readonly store: Pick<DispatchStore, 'nextOwedMs' | 'overdue' | 'owed' | 'postpone' | 'settle'>
  /** Makes one attempt of a call without a bot token; null on a host that makes no calls. Never rejects. */
  readonly call: ((call: ChatCall, timeoutMs: number, signal: AbortSignal) => Promise<Heard>) | null
  /** Where an answer goes; null where it cannot be decrypted. */
  readonly openTarget: (id: string, sealed: string) => AnswerTarget | null
  /** The clock of the queue. */
  readonly queueNowMs: () => number
  /** Wall time, for a `Retry-After` that is a date. */
  readonly nowMs: () => number
  readonly sent: (owed: OwedAnswer) => void
  /** Records an answer that is given up; its effect stays. */
  readonly failed: (owed: OwedAnswer, verdict: Extract<FollowUpVerdict, { _tag: 'Final' }>) => void
}

/** How a round ended: until the next is due (null where no answer is owed), and what it learned of the platform. */
export interface RoundOutcome {
  readonly inMs: number | null
  readonly holdMs: number
  /** Answers of the platform that count towards a ban of the address. */
  readonly invalid: number
}

/** How many answers are sent at a time: they belong to different tokens, so no limit joins them. */
const roundMax = 8
const attemptMs = 3_000

const giveUp = (why: FollowUpFailure): Extract<FollowUpVerdict, { _tag: 'Final' }> => ({
  _tag: 'Final',
  why,
  status: null,
  code: null,
})

const attemptAnswer = async (
  { call, openTarget, queueNowMs, nowMs }: AnswerPorts,
  { id, answer: content, sealedReply, acceptedMs, tries }: OwedAnswer,
  signal: AbortSignal,
): Promise<{ readonly verdict: FollowUpVerdict; readonly isInvalid: boolean }> => {
  const final = (why: FollowUpFailure) => ({ verdict: giveUp(why), isInvalid: false })
  const leftMs = acceptedMs + answerLifeMs - queueNowMs()
  if (leftMs <= 0) return final('expired')
  if (call === null) return final('chat_disabled')
  const target = openTarget(id, sealedReply)
  if (target === null) return final('token_unreadable')
  const heard = await call(editOriginal({ ...target, content }), Math.min(attemptMs, leftMs), signal)
  const ageMs = queueNowMs() - acceptedMs
  return {
    verdict: judgeFollowUp({ heard, tries, ageMs, nowMs: nowMs() }),
    isInvalid: countsAsInvalid(heard),
  }
}

interface AttemptedAnswer {
  readonly owed: OwedAnswer
  readonly verdict: FollowUpVerdict
}

/**
 * Records the outcomes of a round. What has ended is removed at once, so that a round waits once for the disk. What
 * the platform would have wait behind the life of its token is due at the end of that life.
 */
const recordOutcomes = (
  { store, queueNowMs, sent, failed }: AnswerPorts,
  outcomes: ReadonlyArray<AttemptedAnswer>,
): void => {
  for (const { owed, verdict } of outcomes)
    if (verdict._tag === 'Again')
      store.postpone(
        owed.id,
        Math.min(queueNowMs() + Math.ceil(verdict.waitMs), owed.acceptedMs + answerLifeMs),
      )
  const ended = outcomes.filter(({ verdict }) => verdict._tag !== 'Again')
  const settled = ended.map(({ owed, verdict }) => ({
    id: owed.id,
    givenUp: verdict._tag === 'Final' ? describeGivenUp(owed, verdict) : null,
  }))
  if (settled.length > 0) store.settle(settled, queueNowMs())
  for (const { owed, verdict } of ended) {
    if (verdict._tag === 'Sent') sent(owed)
    if (verdict._tag === 'Final') failed(owed, verdict)
  }
}

/**
 * Sends the answers that are due, at most eight at a time. An answer and its token are removed when it is sent or
 * given up; nothing is sent behind the life of its token.
 */
export const sendAnswers = async (ports: AnswerPorts, signal: AbortSignal): Promise<RoundOutcome> => {
  const { store, queueNowMs } = ports
  const round = store.owed(queueNowMs(), roundMax)
  const outcomes = await Promise.all(
    round.map(async owed => ({ owed, ...(await attemptAnswer(ports, owed, signal)) })),
  )
  recordOutcomes(ports, outcomes)
  const nextMs = store.nextOwedMs()
  return {
    inMs: nextMs === null ? null : Math.max(0, nextMs - queueNowMs()),
    holdMs: Math.max(0, ...outcomes.map(({ verdict }) => (verdict._tag === 'Again' ? verdict.holdMs : 0))),
    invalid: outcomes.filter(({ isInvalid }) => isInvalid).length,
  }
}

/** The most answers that are given up in one transaction. */
const overdueMax = 100

/** Gives up the answers whose tokens have ended, and sends none. `inMs` is 0 where there may be more of them. */
export const giveUpOverdue = (ports: AnswerPorts): RoundOutcome => {
  const { store, queueNowMs } = ports
  const overdue = store.overdue(queueNowMs() - answerLifeMs, overdueMax)
  recordOutcomes(
    ports,
    overdue.map(owed => ({ owed, verdict: giveUp('expired') })),
  )
  return { inMs: overdue.length < overdueMax ? null : 0, holdMs: 0, invalid: 0 }
}
