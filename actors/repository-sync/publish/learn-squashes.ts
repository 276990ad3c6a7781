import type { ForgeMerge } from '#protocol/forge.js'
import { listForgeMerges } from '#src/domain/forge/publish-request.js'
import type { Fetched, PublishGit } from '#src/ports/git.js'
import type { AttemptPorts } from '../attempt-ports.js'
import { stopAttempt } from '../join-remote.js'
import type { ConvergeOutcome } from '../messages.js'
import { hasForge, isForgeStop, listRequests } from './request-ports.js'

/** The ports with a remote whose head joins the squashes of the forge; `merges` are those of the forge. */
const joinSquashes = (
  ports: AttemptPorts,
  git: PublishGit,
  merges: ReadonlyArray<ForgeMerge>,
): AttemptPorts => ({
  ...ports,
  remote: {
    ...ports.remote,
    compare: async branch => {
      const fetched = await ports.remote.compare(branch)
      return fetched._tag === 'Failed' ? fetched : git.joinSquash(fetched, merges)
    },
  },
})

/** Fetched commits, and the ports to integrate them with. */
export interface Fetch {
  readonly fetched: Fetched
  readonly ports: AttemptPorts
}

/**
 * Finds out, before a merge in mode `mr`, whether the forge squashed commits of this host. A merge without that
 * knowledge takes the squash for a change of others, and what this host wrote later for a conflict with it. So
 * nothing is merged while the forge does not answer.
 */
export const learnSquashes = async (
  ports: AttemptPorts,
  fetched: Fetched,
  signal: AbortSignal,
): Promise<Fetch | ConvergeOutcome> => {
  const { requests } = ports
  if (fetched.incoming === 0 || fetched.outgoing === 0 || !hasForge(requests)) return { fetched, ports }
  const listed = await listRequests(requests, signal)
  if (isForgeStop(listed)) return stopAttempt(listed.action, listed.detail)
  const merges = listForgeMerges(fetched.branch, listed)
  return {
    fetched: await requests.git.joinSquash(fetched, merges),
    ports: joinSquashes(ports, requests.git, merges),
  }
}
