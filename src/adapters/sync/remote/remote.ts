import { asChore } from '#src/adapters/landing/chores.js'
import { realDisk } from '#src/adapters/landing/disk.js'
import { redactAddress } from '#src/domain/redaction/scrub.js'
import type { Remote } from '#src/ports/git.js'
import { integrateRemote } from '../integrate.js'
import { openResolutionMemory } from '../merge/resolution-memory.js'
import { openParkedRefs, replacedFolder } from '../parked-refs.js'
import { replayCommits } from '../replay.js'
import { compareSides, countUnpublished } from './compare-sides.js'
import { fetchBranch } from './fetch-branch.js'
import { changeRefs, settleRewrite } from './follow-tip.js'
import { pushCommit } from './push-commit.js'
import { findAddress } from './reach-remote.js'
import { parkedFolderOf } from './remote-address.js'
import { openRemoteContext, type RemoteOptions, runNear } from './remote-context.js'

/**
 * The remote of a checkout, driven by git's plumbing (D30). Never forces, never rebases, never resets
 * (S14).
 */
export const gitRemote = (options: RemoteOptions): Remote => {
  const { repo } = options
  const context = openRemoteContext(options)
  const memory = openResolutionMemory()
  const { held, park } = openParkedRefs(args => runNear(context, args), parkedFolderOf(options.town))
  return {
    facts: async () => {
      const named = await findAddress(context, 'fetch')
      return { exists: named !== null, address: named === null ? null : redactAddress(named) }
    },
    fetch: signal => fetchBranch(context, signal),
    compare: branch => compareSides(context, branch),
    integrate: (fetched, atMs, signal) => integrateRemote({ ...options, memory }, fetched, atMs, signal),
    push: (branch, commit, signal) => pushCommit(context, branch, commit, signal),
    park,
    unpark: async (ref, commit) => {
      // A removal takes the lock on packed-refs, which a person's git may also take.
      await asChore(realDisk, repo, () => runNear(context, ['update-ref', '-d', ref, commit]))
    },
    held,
    replay: (rewrite, head, signal) =>
      replayCommits({ ...options, memory: openResolutionMemory() }, rewrite, head, signal),
    replace: ({ from, to }) => changeRefs(context, { [`${replacedFolder}${from}`]: to }),
    settle: rewrite => settleRewrite(context, rewrite),
    unpublished: () => countUnpublished(context),
  }
}
