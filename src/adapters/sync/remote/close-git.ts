import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import { openGitBatch } from '#src/adapters/git/git-batch.js'
import { asChore } from '#src/adapters/landing/chores.js'
import { realDisk } from '#src/adapters/landing/disk.js'
import { gitFolder } from '#src/adapters/landing/failure.js'
import { chainOf } from '#src/adapters/landing/objects/chain.js'
import { writeObjects } from '#src/adapters/landing/objects/object-writer.js'
import type { CloseGit, Draft, SignCommit } from '#src/ports/landing.js'
import { pushTo } from './publish-git.js'
import { findBranch } from './remote.js'
import { isBranchName } from './remote-address.js'
import {
  failStep,
  failureOfGit,
  fetchedRef,
  findWay,
  openRemoteContext,
  type RemoteOptions,
  readNear,
  remoteFailureOf,
  runFar,
} from './run-git.js'
import { transientRemote } from './transient-remote.js'

/** The git part of a deferred close. `sign`: signs commits at a time; null where this host has no published key. */
export const closeGit = (options: RemoteOptions, sign: (atMs: number) => SignCommit | null): CloseGit => {
  const context = openRemoteContext(options)
  const { repo } = options
  const commitOf = async (ref: string): Promise<CommitId | null> => {
    const commit = CommitId.decode(await readNear(context, ['rev-parse', '--quiet', '--verify', ref]))
    return isLeft(commit) ? null : commit.right
  }
  return {
    tip: async signal => {
      const way = await findWay(context, 'fetch')
      const branch = way._tag === 'Failed' ? null : await findBranch(context, way, signal)
      const commit = await commitOf(fetchedRef)
      return typeof branch === 'string' && commit !== null ? { branch, commit } : null
    },
    read: async (commit, path) => {
      const objects = openGitBatch(repo)
      try {
        const object = await objects.object(`${commit}:${path}`)
        return object?.type === 'blob' ? object.bytes : null
      } finally {
        objects.close()
      }
    },
    commit: (base, draft, atMs) => makeCommit(repo, base, draft, { atMs, sign: sign(atMs) }),
    push: (branch, commit, signal) => pushTo(context, branch, commit, signal),
    fetch: async (branch, signal) => {
      try {
        const way = await findWay(context, 'fetch')
        if (way._tag === 'Failed') return way
        if (!isBranchName(branch)) return failStep('failed', `${branch} is not a branch name.`)
        const ref = `refs/svc/close/${branch.replaceAll('/', '-')}`
        // A pattern that matches nothing does not fail the fetch, and is pruned.
        const spec = `+refs/heads/${branch}*:${ref}*`
        const args = [
          'fetch',
          '--quiet',
          '--no-tags',
          '--prune',
          '--no-write-fetch-head',
          transientRemote,
          spec,
        ]
        const fetched = await asChore(realDisk, repo, () => runFar(context, args, way, signal))
        return fetched.code === 0 ? await commitOf(ref) : failureOfGit(fetched)
      } catch (error) {
        return remoteFailureOf(error)
      }
    },
  }
}

const makeCommit = async (
  repo: string,
  base: CommitId,
  draft: Draft,
  { atMs, sign }: { readonly atMs: number; readonly sign: SignCommit | null },
): Promise<CommitId> => {
  const objects = openGitBatch(repo)
  try {
    const chain = await chainOf(objects, base, [draft], atMs, sign)
    await writeObjects(realDisk, (await gitFolder(repo)).objects, chain.objects, draftPrefix)
    const [commit] = chain.commits
    if (commit === undefined) throw new Error('a draft makes a commit')
    return commit
  } finally {
    objects.close()
  }
}

/** Begins the names of unfinished objects, which a recovery of the gate does not remove. */
const draftPrefix = 'tmp_obj_close_'
