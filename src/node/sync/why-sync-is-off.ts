import { isRemoteName } from '#src/adapters/sync/remote/remote-address.js'

/** What decides whether this host converges. Git and the configuration are read once, at the start. */
export interface SyncFacts {
  readonly isGit: boolean
  /** `server.sync_interval_min` */
  readonly intervalMinutes: number
  /** `server.sync_remote` */
  readonly remote: string
}

/**
 * Why a converge is refused, and what to do. The remote is read at every converge, so a missing remote is the
 * reason where neither of the others is.
 */
export const whySyncIsOff = ({ isGit, intervalMinutes, remote }: SyncFacts): string => {
  if (!isGit)
    return 'This is a plain directory, not a git repository: serve a clone of the lore instead, and restart.'
  if (intervalMinutes === 0)
    return 'server.sync_interval_min is 0: commit another value in .svc/config.json, and restart.'
  if (!isRemoteName(remote))
    return 'server.sync_remote is no name of a remote: commit one, such as origin, in .svc/config.json, and restart.'
  return (
    `There is no git remote ${remote} (server.sync_remote): run \`git remote add ${remote} URL\` ` +
    'in the checkout and ask again; no restart is needed.'
  )
}
