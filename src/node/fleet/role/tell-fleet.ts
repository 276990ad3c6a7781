import type { Remote } from '#src/ports/git/remote.js'
import type { FleetWatch } from './fleet-watch.js'

/**
 * A remote after whose fetches and pushes the fleet state is read, before the converge goes on: a flip is obeyed
 * as soon as it is fetched.
 */
export const tellFleet = (remote: Remote, { readPublished }: Pick<FleetWatch, 'readPublished'>): Remote => ({
  ...remote,
  fetch: async signal => {
    const fetched = await remote.fetch(signal)
    if (fetched._tag === 'Fetched') await readPublished(fetched.remote)
    return fetched
  },
  push: async (branch, commit, signal) => {
    const pushed = await remote.push(branch, commit, signal)
    if (pushed._tag === 'Pushed') await readPublished(commit)
    return pushed
  },
})
