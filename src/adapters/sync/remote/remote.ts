import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import { detachedWords } from '#protocol/host/discovery.js'
import { asChore } from '#src/adapters/landing/chores.js'
import { realDisk } from '#src/adapters/landing/disk.js'
import { redactAddress } from '#src/domain/redaction/scrub.js'
import type { Fetched, Pushed, Remote, RemoteFailure } from '#src/ports/git.js'
import { integrateRemote } from '../integrate.js'
import { openResolutionMemory } from '../merge/resolve-path.js'
import { openParkedRefs, replacedFolder, sweepLeftovers } from '../parked-refs.js'
import { replayCommits } from '../replay.js'
import { changeRefs, followTip, incomingRef, settleRewrite } from './follow-tip.js'
import { isMissingBranch } from './git-words.js'
import { pushCommit } from './publish-git.js'
import { isBranchName, parkedFolderOf } from './remote-address.js'
import {
  failStep,
  failureOfGit,
  fetchedRef,
  findAddress,
  findWay,
  openRemoteContext,
  type RemoteContext,
  type RemoteOptions,
  readNear,
  runFar,
  runNear,
  type Way,
} from './run-git.js'
import { transientRemote } from './transient-remote.js'

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

/**
 * Returns a function that pushes a commit to the followed branch, as a fast-forward of what this host fetched last.
 * The commit may be on no branch here.
 */
export const openPublisher = (
  options: RemoteOptions,
): ((commit: CommitId, signal: AbortSignal) => Promise<Pushed>) => {
  const context = openRemoteContext(options)
  return async (commit, signal) => {
    const way = await findWay(context, 'fetch')
    if (way._tag === 'Failed') return way
    const branch = await findBranch(context, way, signal)
    return typeof branch === 'string' ? pushCommit(context, branch, commit, signal) : branch
  }
}

/**
 * The branch to follow: the configured one, otherwise the remote's head, otherwise the one checked out here.
 */
export const findBranch = async (
  context: RemoteContext,
  way: Way,
  signal: AbortSignal,
): Promise<string | RemoteFailure> => {
  const { branch } = context.options
  if (branch !== '') return branch
  const known = context.headBranch
  if (known?.address === way.address) return known.branch
  const listed = await runFar(context, ['ls-remote', '--symref', transientRemote, 'HEAD'], way, signal)
  if (listed.code !== 0) return failureOfGit(listed)
  const named = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed.stdout.toString('utf8'))?.[1]
  if (named === undefined) return (await readNear(context, ['symbolic-ref', '--short', 'HEAD'])) ?? 'main'
  context.headBranch = { address: way.address, branch: named }
  return named
}

/**
 * Fetches the followed branch, and compares both sides. Fails with `history_rewritten` where the remote does not have
 * what this host saw there last.
 */
export const fetchBranch = async (
  context: RemoteContext,
  signal: AbortSignal,
): Promise<Fetched | RemoteFailure> => {
  const { repo, state } = context.options
  const way = await findWay(context, 'fetch')
  if (way._tag === 'Failed') return way
  await sweepLeftovers(repo, state)
  const branch = await findBranch(context, way, signal)
  if (typeof branch !== 'string') return branch
  if (!isBranchName(branch))
    return failStep('failed', 'server.sync_branch is not a branch name. Set another in .svc/config.json.')
  const fetched = await runFar(context, fetchArgs(branch), way, signal)
  const isMissing = fetched.code !== 0 && isMissingBranch(fetched.stderr)
  if (fetched.code !== 0 && !isMissing) return failureOfGit(fetched)
  if (isMissing && !(await speaksGit(context, way, branch, signal)))
    return failStep('unreachable', portalWords)
  const refusal = await followTip(context, branch, isMissing)
  if (refusal !== null) return refusal
  context.isMissingThere = isMissing
  return compareSides(context, branch)
}

const readCommit = async (context: RemoteContext, ref: string): Promise<CommitId | null> => {
  const commit = CommitId.decode(await readNear(context, ['rev-parse', '--verify', `${ref}^{commit}`]))
  return isLeft(commit) ? null : commit.right
}

const hasBranch = async (context: RemoteContext): Promise<boolean> =>
  (await readNear(context, ['symbolic-ref', '--quiet', 'HEAD']))?.startsWith('refs/heads/') === true

/**
 * Compares HEAD with the fetched branch, without contacting the remote. Fails while HEAD is on no branch:
 * commits of a rebase or bisect must not be published.
 */
const compareSides = async (context: RemoteContext, branch: string): Promise<Fetched | RemoteFailure> => {
  if (!(await hasBranch(context))) return failStep('failed', detachedWords)
  const { isMissingThere } = context
  const head = await readCommit(context, 'HEAD')
  if (head === null) return failStep('failed', 'This repository has no commit yet; clone the remote instead.')
  const remote = isMissingThere ? null : await readCommit(context, fetchedRef)
  const counted =
    remote === null
      ? `${(await readNear(context, ['rev-list', '--count', head])) ?? '0'}\t0`
      : await readNear(context, ['rev-list', '--left-right', '--count', `${head}...${remote}`])
  const [outgoing, incoming] = (counted ?? '0\t0').split('\t').map(Number)
  return { _tag: 'Fetched', branch, head, remote, incoming: incoming ?? 0, outgoing: outgoing ?? 0 }
}

/**
 * Commits of the branch here that the remote is not known to have; null before its branch was ever fetched,
 * and while HEAD is on no branch.
 */
const countUnpublished = async (context: RemoteContext): Promise<number | null> => {
  if (!(await hasBranch(context))) return null
  const there = context.isMissingThere ? [] : [`^${fetchedRef}`]
  const counted = await readNear(context, ['rev-list', '--count', 'HEAD', ...there, '--'])
  return counted === null ? null : Number(counted)
}

const fetchArgs = (branch: string): ReadonlyArray<string> => [
  ...['fetch', '--quiet', '--no-tags', '--no-prune', '--no-write-fetch-head', transientRemote],
  `+refs/heads/${branch}:${incomingRef}`,
]

const portalWords =
  'The address answers, but not as git: this may be the sign-in page of a network. Open it in a browser.'

/**
 * Whether git speaks with git at the other end. Over http it takes any page without lines for the list of an empty
 * repository, so only the packets of the protocol tell.
 */
const speaksGit = async (
  context: RemoteContext,
  way: Way,
  branch: string,
  signal: AbortSignal,
): Promise<boolean> => {
  if (way.transport === 'file' || way.transport === 'ssh') return true
  const traced = { ...way, env: { ...way.env, GIT_TRACE_PACKET: '1' } }
  const asked = ['ls-remote', transientRemote, `refs/heads/${branch}`]
  return (await runFar(context, asked, traced, signal)).stderr.includes(' packet: ')
}
