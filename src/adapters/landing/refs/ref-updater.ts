import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import { git, spawnGit } from '#src/adapters/git/git-command.js'
import { endGroup } from '#src/adapters/process-groups.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { diskRefusalOfGit } from '../disk.js'
import { failureOfText } from '../failure.js'

const zero = '0'.repeat(40)
const limitMs = 60_000

/** The reflog message of every move; it distinguishes a host's git from a person's. */
export const moveReason = 'kronika: writes'

/** The commit of HEAD. Throws where git fails, because then it is unknown whether the branch moved. */
const headOf = async (repo: string): Promise<string | null> => {
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: repo })
  if (head.code === 0) return head.stdout.toString('utf8').trim()
  if (head.code === 1) return null
  throw new Error(`git could not read HEAD: ${head.stderr.trim()}`)
}

/** Whether the commit is `of` or one of its ancestors. Throws where git fails. */
export const isAncestor = async (repo: string, commit: string, of: string): Promise<boolean> => {
  const asked = await git(['merge-base', '--is-ancestor', commit, of], { cwd: repo })
  if (asked.code === 0) return true
  if (asked.code === 1 || /Not a valid (commit|object) name/.test(asked.stderr)) return false
  throw new Error(`git could not check whether ${of} contains ${commit}: ${asked.stderr.trim()}`)
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

/** Moves the checked-out branch, one move at a time. */
export interface RefUpdater {
  readonly move: (
    from: CommitId | null,
    to: CommitId,
    killed?: () => Promise<void>,
  ) => Promise<Either<LandingFailure, void>>
  readonly close: () => void
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
