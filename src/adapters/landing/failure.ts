import { isDamage } from '#src/domain/admin/blockers.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { diskRefusal, refusedPath } from './disk.js'
import { UnreadableIndex } from './index/index-file.js'

export const detached: LandingFailure = { _tag: 'Detached' }

const refusedByGit = /Permission denied|Operation not permitted|Read-only file system/

/** The failure for what git or an error says: with the code of `blocked` where it is one of those causes. */
export const failureOfText = (reason: string): LandingFailure => {
  if (refusedByGit.test(reason)) return { _tag: 'Blocked', code: 'repository_read_only', reason }
  return isDamage(reason) ? { _tag: 'Blocked', code: 'object_damaged', reason } : { _tag: 'Failed', reason }
}

/** The failure for a landing that threw: of the disk, of the checkout, or otherwise with the error's own message. */
export const failureOf = (error: unknown): LandingFailure => {
  const disk = diskRefusal(error)
  if (disk !== null) return { _tag: 'Disk', reason: disk }
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof UnreadableIndex) return { _tag: 'Blocked', code: 'index_unreadable', reason }
  return refusedPath(error) === null
    ? failureOfText(reason)
    : { _tag: 'Blocked', code: 'repository_read_only', reason }
}
