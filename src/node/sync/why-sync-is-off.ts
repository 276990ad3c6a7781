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
    return 'Sync is off because this is a plain directory, not a git repository. Serve a clone, and restart.'
  if (intervalMinutes === 0)
    return 'Sync is off because server.sync_interval_min is 0. Commit another value in .svc/config.json, and restart.'
  if (!isRemoteName(remote))
    return 'Sync is off because server.sync_remote is not a remote name. Commit one in .svc/config.json, and restart.'
  return (
    `There is no git remote ${remote} (server.sync_remote): run \`git remote add ${remote} URL\` ` +
    'in the checkout and try again; no restart is needed.'
  )
}
