import { type BlockCode, blockCodes, detachedWords } from '#protocol/discovery.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'

export const headDetached = (): RefusalOf<'HeadDetached'> =>
  refuse('HeadDetached', `${detachedWords}. Nothing was written.`)

/** The commit of HEAD could not be loaded: it is broken, or HEAD moved at every look. */
export const headUnread = (): RefusalOf<'CheckoutBlocked'> =>
  checkoutBlocked('snapshot_stale', 'HEAD could not be loaded in time')

const whenFree = 'Try again when that git process has ended; if no git is running, remove the file.'

export const repositoryLocked = (lock: string): RefusalOf<'RepositoryLocked'> =>
  refuse('RepositoryLocked', `Another process holds ${lock}, so nothing was written. ${whenFree}`, { lock })

/** A fault of the checkout that `blocked` lists under this code. */
export const checkoutBlocked = (code: BlockCode, reason: string): RefusalOf<'CheckoutBlocked'> =>
  refuse(
    'CheckoutBlocked',
    `${reason.replace(/\.$/u, '')}, so nothing was written. ${blockCodes[code].mend}`,
    { code },
  )
