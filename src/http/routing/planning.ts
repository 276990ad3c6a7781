import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { withinOwnBounds } from '#src/writing/people/own-bounds.js'
import { seesNames } from '#src/writing/people/own-names.js'
import type { Admits, WritePlan } from '#src/writing/write-plan.js'
import { hidePlanNames } from '../answers/hide-names.js'
import { ownLoreAt } from '../answers/own-lore.js'
import { showReferences } from '../answers/show-references.js'
import type { Call } from './call.js'
import type { CallersPlan } from './handler.js'

type CallRights = Pick<Call, 'readmit' | 'caller' | 'match'>

/**
 * Who asks as of a snapshot that a write is planned on. Whoever held the capability in full when the handler was asked,
 * and holds only the narrow form now, is refused: the handler took them for the wide one.
 */
const readmitCaller = (
  { readmit, caller: before, match }: CallRights,
  snapshot: Snapshot | null,
  nowMs: number,
): Either<RefusalOf<'Unauthorized' | 'Forbidden'>, Caller> => {
  const now = readmit(snapshot, nowMs)
  const { capability } = match.served.row
  if (isLeft(now) || capability === null || before.grade !== 'full' || now.right.grade === 'full') return now
  return left(refuse('Forbidden', `The capability ${capability} is needed.`, { required: capability }))
}

/** The same for work that plans nothing on a snapshot and waits in the gate all the same. */
export const admitsOf =
  (call: CallRights, shown: () => Snapshot | null): Admits =>
  (snapshot, nowMs) => {
    const caller = readmitCaller(call, snapshot ?? shown(), nowMs)
    return isLeft(caller) ? caller.left : null
  }

/**
 * The plan of a call as the gate makes it: each time the right is looked at first, for it may have ended while the
 * write waited, with a commit or with the token (S30, ADR 0211). A write of a player is held to the bounds of what
 * one player may have (D64), on the snapshot it is planned on. Who may read no block is suggested none.
 */
export const planOf =
  (call: CallRights, plan: CallersPlan<unknown, Refusal>): WritePlan<unknown> =>
  (snapshot, nowMs) => {
    const caller = readmitCaller(call, snapshot, nowMs)
    if (isLeft(caller)) return caller
    const planned = plan(snapshot, nowMs, caller.right)
    const named = seesNames(caller.right) ? planned : hidePlanNames(planned)
    const set = showReferences(named, snapshot, caller.right)
    const own = isLeft(set) ? null : ownLoreAt(snapshot, call.match.served.row, caller.right)
    return isLeft(set) || own === null ? set : withinOwnBounds(snapshot, own, set.right)
  }
