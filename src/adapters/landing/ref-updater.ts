import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { git, startGit } from '../git-command.js'
import { diskRefusalOfGit } from './disk.js'

const zero = '0'.repeat(40)
const limitMs = 60_000

/** Where HEAD stands; throws where git cannot tell, for then nobody knows whether the branch moved. */
const headOf = async (repo: string): Promise<string | null> => {
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: repo })
  if (head.code === 0) return head.stdout.toString('utf8').trim()
  if (head.code === 1) return null
  throw new Error(`git cannot tell where HEAD stands: ${head.stderr.trim()}`)
}

/** Whether `of` has the commit among its ancestors, or is it. Throws where git cannot tell. */
export const isAncestor = async (repo: string, commit: string, of: string): Promise<boolean> => {
  const asked = await git(['merge-base', '--is-ancestor', commit, of], { cwd: repo })
  if (asked.code === 0) return true
  if (asked.code === 1 || /Not a valid (commit|object) name/.test(asked.stderr)) return false
  throw new Error(`git cannot tell whether ${of} has ${commit}: ${asked.stderr.trim()}`)
}

const failureOf = (stderr: string): LandingFailure => {
  const lock = /Unable to create '([^']+)'/.exec(stderr)?.[1]
  if (lock !== undefined && /File exists/.test(stderr)) return { _tag: 'Locked', lock }
  const reason = diskRefusalOfGit(stderr)
  if (reason !== null) return { _tag: 'Disk', reason }
  return { _tag: 'Failed', reason: stderr.trim() }
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

/** One move of the checked-out branch, or none. */
export interface HeadMove {
  readonly move: (from: CommitId | null, to: CommitId) => Promise<Either<LandingFailure, void>>
  /** Nothing is moved, unless `move` was called before. */
  readonly cancel: () => void
}

/**
 * Moves the checked-out branch by compare-and-swap, durably (F2). git is started at once and told the move later, so
 * that it starts while objects are written; told nothing, it moves nothing. What it says of a failure is not believed:
 * HEAD is read, for a move that stands must never be told as one that does not. `killed` runs where git did not end by
 * itself, and so left its locks.
 */
export const openHeadMove = (
  repo: string,
  reason: string,
  killed: () => Promise<void> = () => Promise.resolve(),
): HeadMove => {
  const late = new AbortController()
  const started = startGit(['update-ref', '-m', reason, '--stdin'], { cwd: repo, signal: late.signal })
  return {
    move: async (from, to) => {
      if (!started.tell(`update HEAD ${to} ${from ?? zero}\n`))
        return left({ _tag: 'Failed', reason: 'the move of the branch was called off' })
      const timer = setTimeout(() => late.abort(), limitMs)
      const moved = await started.ended
      clearTimeout(timer)
      if (moved.code === null) await killed()
      return moved.code === 0 ? right(undefined) : verdictOf(repo, from, to, moved.stderr)
    },
    cancel: () => void started.tell(''),
  }
}
