import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { FleetBranch, FleetTip } from '#src/ports/git.js'
import { type SyncGitResult, syncGit } from '../sync-git.js'
import { changeLogArgs, findLastChange } from './last-change.js'
import { isRemoteName } from './remote-address.js'
import { fetchedRef } from './remote-context.js'

const limitMs = 30_000
const never = new AbortController().signal

const commitIn = ({ stdout }: SyncGitResult): CommitId | null => {
  const commit = CommitId.decode(stdout.toString('utf8').trim())
  return isLeft(commit) ? null : commit.right
}

/** The branch at which a checkout with this remote reads its fleet. */
export const gitFleetBranch = (repo: string, remote: string): FleetBranch => {
  const run = (...args: ReadonlyArray<string>): Promise<SyncGitResult> =>
    syncGit(args, { cwd: repo, signal: never, limitMs })
  const commitOf = async (ref: string): Promise<CommitId | null> =>
    commitIn(await run('rev-parse', '--quiet', '--verify', `${ref}^{commit}`))
  const hasRemote = async (): Promise<boolean> =>
    isRemoteName(remote) && (await run('remote', 'get-url', remote)).code === 0
  return {
    tip: async (): Promise<FleetTip> => {
      if (!(await hasRemote())) return { _tag: 'Head', commit: await commitOf('HEAD') }
      const commit = await commitOf(fetchedRef)
      return commit === null
        ? { _tag: 'NotFetched', head: await commitOf('HEAD') }
        : { _tag: 'Fetched', commit }
    },
    lastChange: async (tip, path, known) => {
      if (known !== null) {
        const range = `${known.tip}...${tip}`
        const since = await run('rev-list', '--max-count=1', '--full-history', range, '--', path)
        if (since.code === 0 && since.stdout.length === 0) return known.changed
      }
      const result = await run(...changeLogArgs(tip, path))
      if (result.code !== 0) throw new Error(`git log of ${path} failed: ${result.stderr.trim()}`)
      return findLastChange(result.stdout.toString('utf8'))
    },
  }
}
