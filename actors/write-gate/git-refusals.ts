import { detachedWords } from '#protocol/discovery/detached-words.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'

export const headDetached = (): RefusalOf<'HeadDetached'> =>
  refuse('HeadDetached', `${detachedWords}. Nothing was written.`)

/** The commit of HEAD could not be loaded: it is broken, or HEAD moved at every look. */
export const headUnread = (): RefusalOf<'Overloaded'> =>
  refuse(
    'Overloaded',
    'HEAD could not be loaded in time, so nothing was written. `blocked` of GET /sync says why. Try again.',
  )

const whenFree = 'Try again when that git process has ended; if no git is running, remove the file.'

export const repositoryLocked = (lock: string): RefusalOf<'RepositoryLocked'> =>
  refuse('RepositoryLocked', `Another process holds ${lock}, so nothing was written. ${whenFree}`, { lock })
