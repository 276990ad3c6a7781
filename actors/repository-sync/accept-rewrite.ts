import { isLeft } from 'fp-ts/lib/Either.js'
import type { Rewrite } from '#src/ports/git/remote.js'
import type { AttemptPorts } from './attempt-ports.js'
import { loseAttempt, outcomeOfFailure, stopAttempt } from './join-remote.js'
import type { ConvergeOutcome, ParkedNote } from './messages.js'

/** How long writes may wait while their commits are made again on the new history. */
const holdMs = 110_000

/**
 * Takes a history that the remote was given since this host saw it last, while no write lands. Keeps the branch as it
 * was under a parked ref, makes the unpublished commits again on the new tip, parks what does not apply, and moves
 * the branch. Null where that was done; otherwise how the attempt ended, with the branch where it was. An accept that
 * a crash cut off is done again: the same commits come of it.
 */
export const acceptRewrite = async (
  ports: AttemptPorts,
  rewrite: Rewrite,
  signal: AbortSignal,
): Promise<ConvergeOutcome | null> => {
  const { remote } = ports
  const done = await ports.hold(async (advance, held): Promise<ConvergeOutcome | null> => {
    const compared = await remote.compare('')
    if (compared._tag === 'Failed') return stopAttempt(compared.action, compared.detail)
    const { head } = compared
    // Kept before anything else: at no time is an acknowledged commit without a ref.
    const kept = await remote.park(head)
    const replayed = await remote.replay(rewrite, head, AbortSignal.any([signal, held]))
    if (replayed._tag === 'Failed') return stopAttempt(replayed.action, replayed.detail)
    const { commit: to, made } = replayed
    const parked: Array<ParkedNote> = []
    for (const left of replayed.parked) parked.push({ ...left, ref: (await remote.park(left.commit)).ref })
    if (to !== head) {
      await remote.replace({ from: head, to })
      const moved = await advance(head, to, 'sync: accept the rewritten history', true)
      if (isLeft(moved)) return outcomeOfFailure(moved.left)
    }
    // Recorded before the rewrite is settled: a crash between the two lets the operator accept again.
    ports.accepted({ rewrite, from: head, to, kept: kept.ref, made, parked })
    await remote.settle(rewrite)
    return null
  }, holdMs)
  return isLeft(done) ? loseAttempt('gate', done.left) : done.right
}
