import { randomBytes } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import { git, gitText, spawnGit } from '#src/adapters/git/git-command.js'
import { endGroup } from '#src/adapters/process-groups.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { listLivingGits } from './chores.js'
import { type Disk, diskRefusalOfGit, isCode } from './disk.js'
import { failureOfText, type GitFolder } from './failure.js'
import { countStaleLock, type HeldIndex, readCurrentIndex } from './index-lock.js'

/** The reflog message of every move; it distinguishes a host's git from a person's. */
export const moveReason = 'kronika: writes'

/** Whether the commit is `of` or one of its ancestors. Throws where git fails. */
export const isAncestor = async (repo: string, commit: string, of: string): Promise<boolean> => {
  const asked = await git(['merge-base', '--is-ancestor', commit, of], { cwd: repo })
  if (asked.code === 0) return true
  if (asked.code === 1 || /Not a valid (commit|object) name/.test(asked.stderr)) return false
  throw new Error(`git could not check whether ${of} contains ${commit}: ${asked.stderr.trim()}`)
}

/** Moves the checked-out branch, one move at a time. */
export interface RefUpdater {
  readonly move: (
    from: CommitId | null,
    to: CommitId,
    killed?: () => Promise<void>,
  ) => Promise<Either<LandingFailure, void>>
  readonly close: () => void
}

/**
 * Moves the checked-out branch by compare-and-swap, durably (F2), through one long-lived git: starting it
 * costs a large process more than the move itself (ADR 1010). Each move is its own transaction; a git that
 * refuses one ends, and the next move starts another. After a failure HEAD decides, not git's report: a move
 * that was made must never be reported as failed. `killed` runs where git did not end by itself, and so left
 * its locks.
 */
export const openRefUpdater = (repo: string): RefUpdater => {
  let mover: Mover | null = null
  const attempt = async (transaction: string, killed: () => Promise<void>): Promise<Told> => {
    const current = mover?.isOpen() === true ? mover : startMover(repo)
    mover = current
    const timer = setTimeout(current.kill, limitMs)
    const answer = await current.told(transaction)
    clearTimeout(timer)
    if (answer.killed) await killed()
    return answer
  }
  return {
    move: async (from, to, killed = () => Promise.resolve()) => {
      const transaction = `start\nupdate HEAD ${to} ${from ?? zero}\nprepare\ncommit\n`
      const waited = mover !== null
      const first = await attempt(transaction, killed)
      // A git that was killed while it waited for work has reported nothing, and has moved nothing.
      const gone = waited && first.killed && !first.made && (await headOf(repo)) === from
      const { made: isMade, said } = gone ? await attempt(transaction, killed) : first
      return isMade ? right(undefined) : verdictOf(repo, from, to, said)
    },
    close: () => mover?.end(),
  }
}

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

/**
 * Takes git's lock on the index as any git does: a running daemon waits for it, as for a person's. The
 * daemon's own kind of lock would be taken over by the daemon (`takeIndexLock`), so it does not exclude two
 * processes. Null while another process holds it longer than `waitsMs`, the pauses between the attempts.
 */
export const takeIndexLockAsGit = async (
  disk: Disk,
  folder: GitFolder,
  waitsMs: ReadonlyArray<number>,
): Promise<HeldIndex | null> => {
  const lock = `${folder.index}.lock`
  const draft = join(folder.own, `index.${randomBytes(6).toString('hex')}`)
  if (!(await tryTakeLock(disk, lock, waitsMs))) return null
  let isHeld = true
  const release = async (): Promise<void> => {
    await disk.remove(draft)
    if (isHeld) await disk.remove(lock)
    isHeld = false
  }
  try {
    return {
      index: await readCurrentIndex(folder),
      prepare: async next => {
        await disk.makeFolder(folder.own)
        await disk.write(draft, next.bytes, 0o644)
      },
      replace: async () => {
        await disk.rename(draft, folder.index)
        await disk.syncFolder(dirname(folder.index))
      },
      release,
      // No recovery of ours looks for this lock, so it is always released in the end.
      keep: () => undefined,
    }
  } catch (error) {
    await release()
    throw error
  }
}

const zero = '0'.repeat(40)
const limitMs = 60_000

/** The commit of HEAD. Throws where git fails, because then it is unknown whether the branch moved. */
const headOf = async (repo: string): Promise<string | null> => {
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: repo })
  if (head.code === 0) return head.stdout.toString('utf8').trim()
  if (head.code === 1) return null
  throw new Error(`git could not read HEAD: ${head.stderr.trim()}`)
}

const failureOf = (stderr: string): LandingFailure => {
  const lock = /Unable to create '([^']+)'/.exec(stderr)?.[1]
  if (lock !== undefined && /File exists/.test(stderr)) return { _tag: 'Locked', lock }
  const reason = diskRefusalOfGit(stderr)
  if (reason !== null) return { _tag: 'Disk', reason }
  return failureOfText(stderr.trim())
}

const verdictOf = async (
  repo: string,
  from: CommitId | null,
  to: CommitId,
  said: string,
): Promise<Either<LandingFailure, void>> => {
  const head = await headOf(repo)
  if (head === from) return left(failureOf(said))
  return head !== null && (await isAncestor(repo, to, head)) ? right(undefined) : left({ _tag: 'Moved' })
}

/** What git reported: it made the move, or it ended, by a signal or with a message. */
interface Told {
  readonly made: boolean
  readonly killed: boolean
  readonly said: string
}

interface Mover {
  readonly told: (transaction: string) => Promise<Told>
  readonly isOpen: () => boolean
  readonly kill: () => void
  readonly end: () => void
}

const made = 'commit: ok\n'

const startMover = (repo: string): Mover => {
  const child = spawnGit(['update-ref', '-m', moveReason, '--stdin'], { cwd: repo })
  let open = true
  let killed = false
  let out = ''
  let err = ''
  let wake: () => void = () => undefined
  child.stdin.on('error', () => undefined)
  child.on('error', error => {
    err += error.message
  })
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString('latin1')
    if (out.endsWith(made)) wake()
  })
  child.stderr.on('data', (part: Buffer) => {
    err += part.toString('utf8')
  })
  child.on('close', code => {
    open = false
    killed = code === null
    wake()
  })
  return {
    isOpen: () => open,
    told: async transaction => {
      out = ''
      const answered = new Promise<void>(resolve => {
        wake = resolve
      })
      child.stdin.write(transaction)
      if (open) await answered
      return { made: out.endsWith(made), killed, said: err }
    },
    kill: () => endGroup(child, 'SIGKILL'),
    end: () => void child.stdin.end(),
  }
}

/**
 * What an interrupted landing was about to do: the commits that it may have moved the branch to, and since
 * when.
 */
interface OpenMove {
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

const tryTakeLock = async (disk: Disk, lock: string, waitsMs: ReadonlyArray<number>): Promise<boolean> => {
  for (const waitMs of [...waitsMs, null]) {
    try {
      await disk.write(lock, Buffer.alloc(0), 0o644)
      return true
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    if (waitMs !== null) await new Promise(resolve => setTimeout(resolve, waitMs))
  }
  return false
}
