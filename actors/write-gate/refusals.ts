import type { Tree } from '#protocol/atoms.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { checkoutBlocked, headDetached, repositoryLocked } from './adopt.js'
import { diskDetail } from './mode.js'
import { unreadTree } from './plan-on.js'

/** The refusal that the waiting writes get for a failed landing. */
export const failureRefusal = (failure: LandingFailure): Refusal => {
  switch (failure._tag) {
    case 'Moved':
      return refuse(
        'Overloaded',
        'Another program kept moving the branch, so nothing was written. Try again when it has finished.',
      )
    case 'Detached':
      return headDetached()
    case 'Locked':
      return repositoryLocked(failure.lock)
    case 'Dirty':
      return dirtyRefusal(failure.files)
    case 'Disk':
      return refuse('ReadOnly', diskDetail(failure.reason))
    case 'Blocked':
      return checkoutBlocked(failure.code, failure.reason)
    case 'Unpublished':
      return notPublished(failure.pushed._tag === 'Behind' ? 'behind' : 'unreachable', wordsOf(failure))
    case 'Failed':
      return refuse(
        'Overloaded',
        `git could not create the commit (${failure.reason}), so nothing was written. Fix that, then send it again.`,
      )
  }
}

/** The refusal that the waiting writes to a tree get for a failed landing there. */
export const failureRefusalIn = (tree: Tree, failure: LandingFailure): Refusal => {
  if (tree === 'lore') return failureRefusal(failure)
  if (failure._tag === 'Disk')
    return refuse(
      'DiskRefused',
      `The disk of corpora.${tree} refuses writes (${failure.reason}), so nothing was written. Fix it, then try again.`,
    )
  if (failure._tag === 'Failed') return unreadTree(tree, failure.reason)
  const refusal = failureRefusal(failure)
  return { ...refusal, detail: `corpora.${tree}: ${refusal.detail}` }
}

/** An enactment that the remote does not have. */
export const notPublished = (
  reason: 'unreachable' | 'behind' | 'unknown',
  detail: string,
): RefusalOf<'NotPublished'> => refuse('NotPublished', detail, { reason })

const wordsOf = ({ pushed, reason }: Extract<LandingFailure, { _tag: 'Unpublished' }>): string =>
  pushed._tag === 'Behind'
    ? 'The remote has commits that this host does not have, so nothing was written. Send it again.'
    : `The push to the remote failed (${reason}), so nothing was written. Send it again when the remote is back.`

/** The end of work whose caller left before it began; the connection that would read it is usually closed. */
export const callerLeft = (): RefusalOf<'Overloaded'> =>
  refuse('Overloaded', 'The caller left before the work began, so nothing was written. Send it again.')

/** A person's uncommitted work is in the files of the write; `files` names them (D4). */
export const dirtyRefusal = (files: ReadonlyArray<string>): Refusal =>
  refuse('WorkTreeDirty', 'These files have uncommitted changes. Commit or stash them, then try again.', {
    files,
  })
