import { detachedWords } from '#protocol/discovery/detached-words.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'

export const headDetached = (): RefusalOf<'HeadDetached'> =>
  refuse('HeadDetached', `${detachedWords}. Nothing was written.`)

/** The commit of HEAD could not be loaded: it is broken, or HEAD moved at every look. */
export const headUnread = (): RefusalOf<'Overloaded'> =>
  refuse(
    'Overloaded',
    'The commit of HEAD could not be loaded in time; nothing was written. GET /sync says why under blocked; try again.',
  )

const whenFree = 'Try again when its git has ended; if no git runs, remove the file.'

export const repositoryLocked = (lock: string): RefusalOf<'RepositoryLocked'> =>
  refuse('RepositoryLocked', `Another process holds ${lock}; nothing was written. ${whenFree}`, { lock })
