import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { closedByDisk } from './mode.js'
import type { GatePorts } from './ports.js'

/** What a landing that failed answers to those who waited for it. */
export const failureRefusal = (ports: GatePorts, failure: LandingFailure): Refusal => {
  switch (failure._tag) {
    case 'Moved':
      return refuse('Overloaded', 'The branch kept moving; nothing was written. Try again.')
    case 'Detached':
      return headDetached()
    case 'Locked':
      return repositoryLocked(failure.lock)
    case 'Dirty':
      return dirtyRefusal(failure.files)
    case 'Disk':
      return closedByDisk(ports, failure.reason)
    case 'Failed':
      return refuse('Overloaded', `git could not make the commit: ${failure.reason}`)
  }
}

/** Why nothing can be committed while HEAD names no branch, and what ends it. */
export const detachedWords =
  'HEAD is on no branch: end the rebase or bisect that is under way, or check out the branch'

export const headDetached = (): RefusalOf<'HeadDetached'> =>
  refuse('HeadDetached', `${detachedWords}. Nothing was written.`)

export const repositoryLocked = (lock: string): RefusalOf<'RepositoryLocked'> =>
  refuse(
    'RepositoryLocked',
    `Another process holds ${lock}; nothing was written. Try again when its git has ended; if none runs, remove the file.`,
    { lock },
  )

/** Work of a person lies where the write would go; `files` names it (D4). */
export const dirtyRefusal = (files: ReadonlyArray<string>): Refusal =>
  refuse('WorkTreeDirty', 'Commit or put away what is changed in these files, then try again.', { files })
