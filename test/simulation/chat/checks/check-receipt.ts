import { isLeft } from 'fp-ts/lib/Either.js'
import type { DispatchKind, DispatchWanted } from '#protocol/chat/dispatch.js'
import type { DispatchRules } from '#src/domain/dispatch/check-dispatch.js'
import type { Interactions, ReceivedDispatch } from '#src/ports/chat.js'
import type { Trace } from '#test/simulation/node/trace.js'
import type { WorkerHost } from '../chat-host.js'

/** A receipt of the worker as this world judges it, without the rules of the host. */
export interface Receipt {
  readonly host: WorkerHost
  readonly kind: DispatchKind
  readonly received: ReceivedDispatch
}

type Answer = Awaited<ReturnType<Interactions['receive']>>

const dayMs = 24 * 3_600_000

/** Whether the disk of a host has the interaction. */
const hasRow = ({ disk }: WorkerHost, id: string): boolean =>
  disk.prepare('SELECT id FROM dispatches WHERE id = ?').all(id).length > 0

const ageAt = ({ sentAtEpochMs }: DispatchWanted, nowMs: number): number => nowMs - sentAtEpochMs

/** The answer by A 4.9, from what this world knows. */
const expectAnswer = ({ host, kind, received }: Receipt, isKnown: boolean, rules: DispatchRules): string => {
  const { wanted, nowMs } = received
  if (isKnown) return 'duplicate'
  const ageMs = ageAt(wanted, nowMs)
  if (ageMs > rules.windowMs) return 'Stale'
  if (kind === 'report' && ageMs > rules.nearDeadlineMs) return 'Late'
  if (kind !== 'query' && host.closedArm !== null) return 'Gated'
  return 'accepted'
}

const shownOf = (answer: Answer): string =>
  isLeft(answer) ? answer.left._tag : answer.right.duplicate ? 'duplicate' : 'accepted'

/**
 * Holds S20 to S22 against each receipt: one acceptance for each host, on its disk before the answer, and the order of
 * the checks.
 */
export const openReceiptCheck = (
  { violation, mark, say }: Trace,
  rules: DispatchRules,
  worldMs: () => number,
) => {
  /** What each host accepted, and when. */
  const acceptances = new Map<string, Map<string, number>>()
  const acceptedAt = (name: string): Map<string, number> => {
    const known = acceptances.get(name) ?? new Map<string, number>()
    acceptances.set(name, known)
    return known
  }
  const recordMarks = ({ host, received: { wanted, nowMs } }: Receipt, shown: string): void => {
    const ageMs = ageAt(wanted, nowMs)
    if (shown === 'duplicate' && ageMs > rules.windowMs) mark('a replay behind the window was a duplicate')
    if (shown === 'duplicate' && ageMs > dayMs / 2) mark('a replay a day later was a duplicate')
    if (shown === 'Stale') mark('an interaction was refused as stale')
    if (shown === 'Gated') mark('the gate refused an interaction')
    if (shown === 'DiskRefused') mark('the disk refused an interaction')
    const isElsewhere = [...acceptances].some(
      ([name, ids]) => name !== host.name && ids.has(wanted.interactionId),
    )
    if (shown === 'accepted' && isElsewhere) mark('two hosts accepted one interaction')
  }
  /** The interactions to which each host answered that they are new. */
  const called = new Set<string>()
  /** How many copies of an interaction are at a host. */
  const copies = new Map<string, number>()
  const judgeCopies = ({ host, received }: Receipt, isKnown: boolean, shown: string): void => {
    const key = `${host.name} ${received.wanted.interactionId}`
    if (!isKnown && shown === 'accepted' && called.has(key))
      violation(`${key} is accepted a second time (S20)`)
    if (shown === 'accepted') called.add(key)
  }
  const judge = (receipt: Receipt, isKnown: boolean, isCopy: boolean, answer: Answer): void => {
    const { host, received } = receipt
    const { interactionId: id } = received.wanted
    const [expected, shown] = [expectAnswer(receipt, isKnown, rules), shownOf(answer)]
    say(`${host.name} answers ${shown} to ${id} of ${ageAt(received.wanted, received.nowMs)} ms`)
    recordMarks(receipt, shown)
    const isRefusedByDisk = expected === 'accepted' && shown === 'DiskRefused'
    const isOfACopy = isCopy && shown === 'duplicate'
    if (isOfACopy) mark('a copy came while its row was written')
    judgeCopies(receipt, isKnown, shown)
    if (shown !== expected && !isRefusedByDisk && !isOfACopy)
      violation(
        `${host.name} answers ${shown} to ${id}, not ${expected} (${isKnown ? 'S20, S21' : 'S21, S22'})`,
      )
    if ((shown === 'accepted' || shown === 'duplicate') && !hasRow(host, id))
      violation(`${host.name} answers ${shown} to ${id} and its disk has no row (S20)`)
  }
  return {
    /** How many interactions a host has accepted. */
    count: (name: string): number => acceptedAt(name).size,
    /** Runs a receipt at a process; null where the process died meanwhile. */
    receive: async (
      receipt: Receipt,
      { receive }: Interactions,
      isOver: () => boolean,
    ): Promise<Answer | null> => {
      const { host, received } = receipt
      const { interactionId: id } = received.wanted
      const known = acceptedAt(host.name)
      const acceptedMs = known.get(id)
      const mayBeForgotten = acceptedMs !== undefined && worldMs() - acceptedMs >= dayMs && !hasRow(host, id)
      if (mayBeForgotten) called.delete(`${host.name} ${id}`)
      const isKnown = acceptedMs !== undefined && !mayBeForgotten
      const key = `${host.name}.${host.lives} ${id}`
      const others = copies.get(key) ?? 0
      copies.set(key, others + 1)
      const answer = await receive(received)
      copies.set(key, (copies.get(key) ?? 1) - 1)
      if (!isKnown && hasRow(host, id)) known.set(id, worldMs())
      if (isOver()) return null
      judge(receipt, isKnown, others > 0, answer)
      return answer
    },
  }
}
