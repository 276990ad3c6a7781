import type { Fetched, RemoteFailure } from '#src/ports/git.js'
import { sweepLeftovers } from '../leftovers.js'
import { compareSides } from './compare-sides.js'
import { followTip, incomingRef } from './follow-tip.js'
import { isMissingBranch } from './git-words.js'
import { findWay, runFar, type Way } from './reach-remote.js'
import { isBranchName } from './remote-address.js'
import { failStep, failureOfGit, type RemoteContext, readNear } from './remote-context.js'
import { transientRemote } from './transient-remote.js'

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
