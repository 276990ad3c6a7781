import type { ChatCall, Heard } from '#protocol/chat/platform.js'
import { editOriginal } from '#src/domain/chat/limits.js'
import type { AnswerTarget } from '#src/domain/dispatch/answer-query.js'
import { answerLifeMs } from '#src/domain/dispatch/check-dispatch.js'
import { describeGivenUp } from '#src/domain/dispatch/descriptions.js'
import {
  countsAsInvalid,
  type FollowUpFailure,
  type FollowUpVerdict,
  judgeFollowUp,
} from '#src/domain/dispatch/judge-follow-up.js'
import type { DispatchStore, GroupCommit, OwedAnswer } from '#src/ports/records.js'
import type { HeardAnswer } from './messages.js'

export interface AnswerPorts {
  readonly store: Pick<DispatchStore, 'overdue' | 'owed' | 'postpone' | 'settle'>
  readonly groupCommit: GroupCommit
  /** Makes one attempt of a call without a bot token; null on a host that makes no calls. Never rejects. */
  readonly call: ((call: ChatCall, timeoutMs: number, signal: AbortSignal) => Promise<Heard>) | null
  /** Where an answer goes; null where it cannot be decrypted. */
  readonly openTarget: (id: string, sealed: string) => AnswerTarget | null
  /** The clock of the queue. */
  readonly queueNowMs: () => number
  /** Wall time, for a `Retry-After` that is a date. */
  readonly nowMs: () => number
  readonly sent: (owed: HeardAnswer['owed']) => void
  /** Records an answer that is given up; its effect stays. */
  readonly failed: (owed: HeardAnswer['owed'], verdict: Extract<FollowUpVerdict, { _tag: 'Final' }>) => void
  /** Reports a call whose outcome is not on record; the next start makes it once more. */
  readonly unrecorded: (error: unknown) => void
  /** Tells the courier the outcome of a call; false where it does not receive it any more. Never rejects. */
  readonly tell: (heard: HeardAnswer) => Promise<boolean>
}

/** The calls that send answers. Calls throw or reject where the disk refuses. */
export interface AnswerCalls {
  /**
   * Begins the calls of at most `limit` answers that are due and not in `underWay`. `inMs`: until another one is
   * due; null where none waits for a time.
   */
  readonly begin: (
    limit: number,
    underWay: ReadonlySet<string>,
    signal: AbortSignal,
  ) => { readonly ids: ReadonlyArray<string>; readonly inMs: number | null }
  /** Gives up answers whose tokens have ended, those in `underWay` left out; returns whether there may be more. */
  readonly giveUp: (underWay: ReadonlySet<string>) => Promise<boolean>
  /** Records outcomes in one transaction: what has ended is removed, what failed is due again later. */
  readonly record: (outcomes: ReadonlyArray<HeardAnswer>) => Promise<void>
  /** Waits for the calls under way, of which a draining courier does not hear, and records their outcomes. */
  readonly settle: () => Promise<void>
}

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
): Promise<Omit<HeardAnswer, 'owed'>> => {
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

/**
 * Records outcomes. What the platform would have wait behind the life of its token is due at the end of that life.
 */
const recordOutcomes = async (
  { store, groupCommit, queueNowMs, sent, failed }: AnswerPorts,
  outcomes: ReadonlyArray<HeardAnswer>,
): Promise<void> => {
  const settled = outcomes.flatMap(({ owed, verdict }) =>
    verdict._tag === 'Again'
      ? []
      : [{ id: owed.id, givenUp: verdict._tag === 'Final' ? describeGivenUp(owed, verdict) : null }],
  )
  await groupCommit(() => {
    for (const { owed, verdict } of outcomes)
      if (verdict._tag === 'Again')
        store.postpone(
          owed.id,
          Math.min(queueNowMs() + Math.ceil(verdict.waitMs), owed.acceptedMs + answerLifeMs),
        )
    if (settled.length > 0) store.settle(settled, queueNowMs())
  })
  for (const { owed, verdict } of outcomes) {
    if (verdict._tag === 'Sent') sent(owed)
    if (verdict._tag === 'Final') failed(owed, verdict)
  }
}

/** The answers that no call is under way for: those to begin now, and when the next one is due. */
const findDue = (
  { store, queueNowMs }: AnswerPorts,
  limit: number,
  underWay: ReadonlySet<string>,
): { readonly due: ReadonlyArray<OwedAnswer>; readonly inMs: number | null } => {
  const nowMs = queueNowMs()
  const waiting = store.owed(limit + underWay.size + 1).filter(({ id }) => !underWay.has(id))
  const due = waiting.filter(({ dueMs }) => dueMs <= nowMs).slice(0, limit)
  const next = waiting.find(({ dueMs }) => dueMs > nowMs)
  return { due, inMs: next === undefined ? null : next.dueMs - nowMs }
}

/** The most answers that are given up in one transaction. */
const overdueMax = 100

const giveUpOverdue = async (ports: AnswerPorts, underWay: ReadonlySet<string>): Promise<boolean> => {
  const { store, queueNowMs } = ports
  const overdue = store
    .overdue(queueNowMs() - answerLifeMs, overdueMax + underWay.size)
    .filter(({ id }) => !underWay.has(id))
  const outcomes = overdue.map(owed => ({ owed, verdict: giveUp('expired'), isInvalid: false }))
  if (outcomes.length > 0) await recordOutcomes(ports, outcomes)
  return overdue.length >= overdueMax
}

/** Opens the calls of a courier. An answer and its token are removed when it is sent or given up. */
export const openAnswerCalls = (ports: AnswerPorts): AnswerCalls => {
  const underWay = new Set<Promise<void>>()
  const send = async (owed: OwedAnswer, signal: AbortSignal): Promise<void> => {
    const { answer: _, sealedReply: __, ...run } = owed
    const heard = { owed: run, ...(await attemptAnswer(ports, owed, signal)) }
    if (!signal.aborted && !(await ports.tell(heard))) await recordOutcomes(ports, [heard])
  }
  return {
    begin: (limit, known, signal) => {
      const { due, inMs } = findDue(ports, limit, known)
      for (const owed of due) {
        const sending = send(owed, signal)
          .catch(ports.unrecorded)
          .finally(() => underWay.delete(sending))
        underWay.add(sending)
      }
      return { ids: due.map(({ id }) => id), inMs }
    },
    giveUp: known => giveUpOverdue(ports, known),
    record: outcomes => recordOutcomes(ports, outcomes),
    settle: async () => {
      await Promise.all(underWay)
    },
  }
}
