import { readFile, realpath, stat } from 'node:fs/promises'
import type { CommitId } from '#protocol/atoms.js'
import { git, gitText } from '#src/adapters/git/git-command.js'
import { countStaleLock } from '../count-lock.js'
import { type Disk, isCode } from '../disk.js'
import { listLivingGits } from '../living-git.js'

/**
 * What an interrupted landing was about to do: the commits that it may have moved the branch to, and since
 * when.
 */
export interface OpenMove {
  readonly commits: ReadonlyArray<CommitId>
  readonly sinceMs: number
}

const waitsMs = [20, 50, 100, 200, 400, 800, 1600, 1600]
/** File system clocks may run behind that of the process. */
const slackMs = 1_000

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/**
 * Distinguishes a git that moves the branch for a host from a person's. An older build had the route after
 * it.
 */
const moveArgs = ' update-ref -m kronika: '

/** Waits for a child that outlived its daemon and may still move the branch (F7); throws if it hangs. */
export const awaitOrphans = async (repo: string): Promise<void> => {
  for (const waitMs of [...waitsMs, null]) {
    const living = (await listLivingGits(await realpath(repo))) ?? []
    const orphan = living.find(({ args }) => args.includes(moveArgs))
    if (orphan === undefined) return
    if (waitMs === null)
      throw new Error(
        `git, process ${orphan.pid}, is still moving the branch for a daemon that has ended; end that process`,
      )
    await pause(waitMs)
  }
}

/** Whether no git is alive that could hold a lock; false also where that cannot be determined. */
const isQuiet = async (repo: string): Promise<boolean> =>
  (await listLivingGits(await realpath(repo)))?.length === 0

/** The paths of git's locks when the checked-out branch moves. */
const lockPaths = async (repo: string): Promise<ReadonlyArray<string>> => {
  const branch = await git(['symbolic-ref', '--quiet', 'HEAD'], { cwd: repo })
  const refs = branch.code === 0 ? ['HEAD', branch.stdout.toString('utf8').trim()] : ['HEAD']
  const asked = refs.flatMap(ref => ['--git-path', `${ref}.lock`])
  return (await gitText(['rev-parse', '--path-format=absolute', ...asked], { cwd: repo })).split('\n')
}

interface RefLock {
  readonly path: string
  readonly content: string
  readonly atMs: number
}

const lockAt = async (path: string): Promise<RefLock | null> => {
  try {
    const [{ mtimeMs: atMs }, content] = await Promise.all([stat(path), readFile(path, 'latin1')])
    return { path, content: content.trim(), atMs }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

/**
 * Removes the locks that a killed git of ours left. A lock is ours if it names one of our commits; an empty
 * one is, if it was made while ours was working and no git is alive that could hold it (D4, ADR 1011).
 * Returns a lock that cannot be judged yet.
 */
export const sweepRefLocks = async (
  disk: Disk,
  repo: string,
  { commits, sinceMs }: OpenMove,
): Promise<string | null> => {
  for (const path of await lockPaths(repo)) {
    const lock = await lockAt(path)
    if (lock === null || lock.atMs < sinceMs - slackMs) continue
    const isOurs = commits.some(commit => lock.content === commit)
    if (isOurs || (lock.content === '' && (await isQuiet(repo)))) {
      await disk.remove(path)
      countStaleLock(path)
    } else if (lock.content === '') return path
  }
  return null
}
