import { type BigIntStats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { simpleGit } from 'simple-git'
import { redactAddress } from '#src/domain/redaction/scrub.js'
import type { CheckoutState, ParkedWork } from '#src/ports/git.js'
import { gitEnvironment, gitSettings } from './git-command.js'

/**
 * The state of the checkout in relation to the remote of that name. Reads only refs, remotes and commits:
 * `git status` would run filters that the configuration of a hostile checkout names (ADR 1017).
 */
export const checkoutState = async (repo: string, remote: string): Promise<CheckoutState> => {
  const environment = gitEnvironment()
  const git = simpleGit({
    baseDir: repo,
    config: [...gitSettings],
    allowEnvironment: Object.keys(environment),
    unsafe: opened,
    timeout: { block: limitMs },
    maxConcurrentProcesses: 1,
    trimmed: true,
  }).env(environment)

  // Prints nothing where HEAD is on no branch.
  const head = await git.raw(['symbolic-ref', '--quiet', 'HEAD'])
  const listed = await git.raw(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/svc/', branches])
  const refs = new Map(listed.split('\n').map(line => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']))
  const parkedFormat = '--format=%(refname)%00%(objectname)%00%(contents:body)%00'
  const parked = parseParkedRefs(await git.raw(['for-each-ref', parkedFormat, parkedFolder]))
  const named = (await git.getRemotes()).some(one => one.name === remote)
  const addressOf = async (...use: ReadonlyArray<string>): Promise<string | null> =>
    named ? redactAddress(await git.raw(['remote', 'get-url', ...use, '--', remote])) : null
  const branch = head.startsWith(branches) ? head.slice(branches.length) : null
  return {
    branch,
    remote: await addressOf(),
    pushRemote: await addressOf('--push'),
    unpublished:
      branch !== null && refs.has(head) && refs.has(fetchedRef)
        ? Number(await git.raw(['rev-list', '--count', 'HEAD', `^${fetchedRef}`, '--']))
        : null,
    parked,
  }
}

/** Whether the repository is still the same: not moved, removed or replaced. */
export type RepositoryStands = () => Promise<boolean>

/** Remembers the identity of a checkout's folder and its `.git`, and compares them at each call. */
export const repositoryStands = (repo: string): RepositoryStands => {
  const paths = [repo, join(repo, '.git')]
  const before = paths.map(path => identityOf(statSync(path, { bigint: true, throwIfNoEntry: false })))
  return async () => (await Promise.all(paths.map(now))).every((identity, at) => identity === before[at])
}

const limitMs = 30_000
const fetchedRef = 'refs/svc/fetched'
const parkedFolder = 'refs/svc/parked/'
const branches = 'refs/heads/'

/**
 * Our settings and variables that simple-git blocks by default; ours are safe, because they close what it
 * guards against.
 */
const opened = {
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeProtocolOverride: true,
} as const

/** Parses refs with the bodies of their commits, each ended by a NUL. */
const parseParkedRefs = (printed: string): ReadonlyArray<ParkedWork> => {
  const words = printed.split('\0')
  const parked: Array<ParkedWork> = []
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [ref = '', commit = '', body = ''] = words.slice(at, at + 3)
    const conflicts = body.split('\n').flatMap(line => (line.startsWith('- ') ? [line.slice(2)] : []))
    parked.push({ ref: ref.trimStart(), commit, conflicts })
  }
  return parked
}

/**
 * A `.git` file names the git folder of a linked worktree; its content is not compared, because git may
 * rewrite it.
 */
const identityOf = (found: BigIntStats | undefined): string =>
  found === undefined ? 'nothing' : found.isDirectory() ? `${found.dev}:${found.ino}` : 'file'

const now = async (path: string): Promise<string> => {
  try {
    return identityOf(await stat(path, { bigint: true }))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return identityOf(undefined)
    throw error
  }
}
