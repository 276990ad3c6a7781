import { isLeft } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import { detachedWords } from '#protocol/discovery.js'
import type { AdvanceOutcome, BranchMove } from './messages.js'
import { closeForDisk, reportBehind } from './mode.js'
import type { GatePorts } from './ports.js'

/**
 * Moves the branch to a commit that exists. Readers see it when this resolves, unless looking at HEAD fails
 * for long.
 */
export const advance = async (
  ports: GatePorts,
  { from, to, reason, replaces }: BranchMove,
  signal: AbortSignal,
): Promise<AdvanceOutcome> => {
  const { landing } = ports
  if (landing === null) return { _tag: 'Failed', reason: 'a directory without git has no branch' }
  const moved = await landing.advance(
    { intent: ports.newIntent(), from, to, reason, replaces, atMs: ports.nowMs() },
    signal,
  )
  if (isLeft(moved)) {
    const failure = moved.left
    switch (failure._tag) {
      case 'Detached':
        return { _tag: 'Failed', reason: detachedWords }
      case 'Locked':
        return { _tag: 'Failed', reason: `another process holds ${failure.lock}` }
      case 'Disk':
        return { _tag: 'Failed', reason: closeForDisk(ports, failure.reason).detail }
      case 'Blocked':
        return { _tag: 'Failed', reason: `${failure.reason} (${failure.code})` }
      case 'Moved':
      case 'Dirty':
      case 'Failed':
        return failure
      default:
        return absurd(failure)
    }
  }
  reportBehind(ports, moved.right.unfinished)
  await ports.published(to)
  return { _tag: 'Advanced', commit: to }
}
