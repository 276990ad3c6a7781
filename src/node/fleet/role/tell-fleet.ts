import type { SyncAction } from '#protocol/sync.js'
import type { Remote } from '#src/ports/git.js'
import type { PeerTable } from '../peer-table.js'
import type { FleetWatch } from './fleet-watch.js'

/** The failures that say nothing of whether the remote was reached. */
const unsaying: ReadonlySet<SyncAction> = new Set(['failed', 'transport_refused'])
const unreached: ReadonlySet<SyncAction> = new Set(['unreachable', 'timeout'])

/**
 * A remote after whose fetches and pushes the fleet state is read, before the converge goes on: a flip is obeyed
 * as soon as it is fetched. `noteReach` hears whether each fetch reached the remote.
 */
export const tellFleet = (
  remote: Remote,
  { readPublished }: Pick<FleetWatch, 'readPublished'>,
  noteReach: PeerTable['noteReach'],
): Remote => ({
  ...remote,
  fetch: async signal => {
    const fetched = await remote.fetch(signal)
    if (fetched._tag === 'Fetched' || !unsaying.has(fetched.action))
      noteReach('remote', fetched._tag === 'Fetched' || !unreached.has(fetched.action))
    if (fetched._tag === 'Fetched') await readPublished(fetched.remote)
    return fetched
  },
  push: async (branch, commit, signal) => {
    const pushed = await remote.push(branch, commit, signal)
    if (pushed._tag === 'Pushed') await readPublished(commit)
    return pushed
  },
})
