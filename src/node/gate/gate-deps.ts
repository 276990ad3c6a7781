import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import type { AdoptOutcome } from '#actors/write-gate/adopt.js'
import type { Adopt, ReindexOutcome, ReindexRequest, SetMode } from '#actors/write-gate/messages.js'
import type { SetModeOutcome } from '#actors/write-gate/mode.js'
import { gateAnswerWithinMs } from '#protocol/admin.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { AdminDeps, AdoptionFollow } from '#src/http/handlers/admin.js'
import type { ReindexDeps } from '#src/http/handlers/places.js'
import type { SyncDeps } from '#src/http/handlers/sync.js'
import type { FrontNode } from '#src/http/routing/deps.js'
import { ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import { type AskAdvice, explainUnanswered } from '#src/kernel/ask-trouble.js'
import type { NodeParts } from '../tree/node-parts.js'
import type { Followers } from './followers.js'
import { modeReason } from './mode-cell.js'

/** Ends before the front refuses the request as late. */
const adoptDeadlineMs = gateAnswerWithinMs - 10_000

const advice: AskAdvice = {
  mayHaveActed: 'it may have been carried out. Check GET /health and the log before you try again.',
  didNothing: 'nothing was changed. Try again after the seconds of Retry-After.',
}

type Gate = Ref<Adopt | ReindexRequest | SetMode>

/** Asks the gate. Left with `Overloaded` where it does not answer in time. */
const askGate = async <E, A>(
  gate: Gate,
  asked: (replyTo: ReplyTo<Either<E, A>>) => Adopt | ReindexRequest | SetMode,
  { isCallerThere }: Pick<AdoptionFollow, 'isCallerThere'> = {},
): Promise<Either<E | RefusalOf<'Overloaded'>, A>> => {
  const answer = await ask(gate, asked, adoptDeadlineMs, isCallerThere)
  if (isLeft(answer))
    return left(refuse('Overloaded', explainUnanswered('the write gate', answer.left, advice)))
  return answer.right
}

const setModeThrough =
  (gate: Gate): AdminDeps['setMode'] =>
  (mode, actor, claimed) =>
    askGate(
      gate,
      (replyTo: ReplyTo<SetModeOutcome>): SetMode => ({ _tag: 'SetMode', mode, actor, claimed, replyTo }),
    )

/** Adopts through the gate, whose arms do not apply (A 4.1.3). */
export const adoptThrough =
  (gate: Gate, { during }: Followers): AdminDeps['adopt'] =>
  (dryRun, origin, claimed, follow = {}) =>
    during(follow.progress, follower => {
      const asked = { dryRun, origin, claimed, follower }
      return askGate(
        gate,
        (replyTo: ReplyTo<AdoptOutcome>): Adopt => ({ _tag: 'Adopt', ...asked, replyTo }),
        follow,
      )
    })

/** Adopts through the gate, which checks its arms in its turn (D28, S18). */
export const reindexThrough =
  (gate: Gate, { during }: Followers): ReindexDeps['reindex'] =>
  (dryRun, origin, claimed, follow = {}) =>
    during(follow.progress, follower => {
      const asked = { dryRun, origin, claimed, follower }
      return askGate(
        gate,
        (replyTo: ReplyTo<ReindexOutcome>): ReindexRequest => ({ _tag: 'Reindex', ...asked, replyTo }),
        follow,
      )
    })

type GateDeps = Pick<AdminDeps, 'adopt' | 'setMode'> &
  Pick<ReindexDeps, 'reindex'> &
  Pick<SyncDeps, 'blockers' | 'mode' | 'modeReason'> &
  Pick<FrontNode, 'isGone' | 'staleReason'>

/** What the front needs of the write gate, and of what closes it. */
export const gateDeps = ({ blocks, callers, followers, gate, mode, tree }: NodeParts): GateDeps => ({
  mode: () => mode.get().mode,
  modeReason: () => modeReason(mode.get()),
  staleReason: () => gate().staleReason ?? null,
  blockers: blocks.blockers,
  isGone: blocks.isGone,
  setMode: setModeThrough(tree.doors.gate),
  adopt: callers.limitAdoptions(adoptThrough(tree.doors.gate, followers)),
  reindex: callers.limitAdoptions(reindexThrough(tree.doors.gate, followers)),
})
