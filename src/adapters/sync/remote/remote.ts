import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms/commit.js'
import type { SyncAction } from '#protocol/sync/action.js'
import { asChore } from '#src/adapters/landing/chores.js'
import { realDisk } from '#src/adapters/landing/disk.js'
import type { Fetched, Pushed, Remote, RemoteFailure } from '#src/ports/git/remote.js'
import { integrate } from '../integrate.js'
import { sweepLeftovers } from '../leftovers.js'
import { openResolutionMemory } from '../merge/resolution-memory.js'
import { parkedRefs } from '../parked-refs.js'
import { type SyncGitResult, syncGit } from '../sync-git.js'
import { causeOf, isMissingBranch, pushOutcome, remoteFailure } from './git-words.js'
import { isBranchName, isRemoteName, parkedFolder, type Transport, transportOf } from './remote-address.js'
import { shownAbout, shownAddress } from './shown-address.js'
import { keptSettings, transientEnvironment, transientRemote } from './transient-remote.js'

export interface RemoteOptions {
  readonly repo: string
  readonly state: string
  /** `server.sync_remote` and `server.sync_branch`, as committed. */
  readonly remote: string
  readonly branch: string
  readonly town: string
  /** Lets the event loop turn between slices of a merge. */
  readonly breathe: () => Promise<void>
  readonly limitsMs?: { readonly near: number; readonly far: number }
}

const limits = { near: 30_000, far: 60_000 }

/** A long grace, no child that outlives its git, and no lock on packed-refs, which a person may want. */
const tidy = [
  'gc.auto=6700',
  'gc.pruneExpire=2.weeks.ago',
  'gc.autoDetach=false',
  'gc.packRefs=false',
].flatMap(setting => ['-c', setting])
const never = new AbortController().signal

/** Where the remote's branch is kept: below a folder that no person's git writes to. */
const fetchedRef = 'refs/svc/fetched'

/** How the remote is reached. The environment may carry a secret (S34). */
interface Way {
  readonly _tag: 'Way'
  readonly env: Readonly<Record<string, string>>
  readonly transport: Transport
  /** What git says of it, without its credentials (S34). */
  readonly shown: (text: string) => string
}

const failure = (action: SyncAction, detail: string): RemoteFailure => ({ _tag: 'Failed', action, detail })

const failureOf = (result: SyncGitResult): RemoteFailure =>
  result.timedOut
    ? failure('timeout', 'The remote took longer than the limit of one call.')
    : failure(remoteFailure(result.stderr), causeOf(result.stderr))

const commitOf = (text: string): CommitId | null => {
  const commit = CommitId.decode(text.trim())
  return isLeft(commit) ? null : commit.right
}

/**
 * The remote of a checkout, driven by git's plumbing (D30). Never forces, never rebases, never resets
 * (S14).
 */
export const gitRemote = (options: RemoteOptions): Remote => {
  const { repo, remote } = options
  const { near, far } = options.limitsMs ?? limits
  const folder = parkedFolder(options.town)
  const memory = openResolutionMemory()
  const local = (args: ReadonlyArray<string>, signal: AbortSignal = never): Promise<SyncGitResult> =>
    syncGit(args, { cwd: repo, signal, limitMs: near })
  const text = async (args: ReadonlyArray<string>): Promise<string | null> => {
    const result = await local(args)
    return result.code === 0 ? result.stdout.toString('utf8').trim() : null
  }
  let known: string | null = null
  /** The last fetch found no such branch: all that is here is unpublished. */
  let isMissingThere = false

  const address = async (push: boolean): Promise<string | null> =>
    isRemoteName(remote) ? text(['remote', 'get-url', ...(push ? ['--push'] : []), remote]) : null

  const way = async (push: boolean): Promise<Way | RemoteFailure> => {
    const named = await address(push)
    if (named === null)
      return failure('unreachable', `There is no remote ${remote}; \`git remote add\` makes one.`)
    const transport = transportOf(named)
    if (transport === null)
      return failure('transport_refused', `${shownAddress(named)} is no file, ssh or https address.`)
    const settings = (await local(keptSettings(remote))).stdout.toString('utf8')
    return { _tag: 'Way', env: transientEnvironment(named, settings), transport, shown: shownAbout(named) }
  }

  const distant = (
    args: ReadonlyArray<string>,
    { transport, env, shown }: Way,
    signal: AbortSignal,
  ): Promise<SyncGitResult> => syncGit(args, { cwd: repo, signal, limitMs: far, transport, env, shown })

  /**
   * The branch that is followed: the configured one, else the remote's head, else the one that is checked
   * out here.
   */
  const branchOf = async (by: Way, signal: AbortSignal): Promise<string | RemoteFailure> => {
    if (options.branch !== '') return options.branch
    if (known !== null) return known
    const listed = await distant(['ls-remote', '--symref', transientRemote, 'HEAD'], by, signal)
    if (listed.code !== 0) return failureOf(listed)
    const named = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed.stdout.toString('utf8'))?.[1]
    if (named === undefined) return (await text(['symbolic-ref', '--short', 'HEAD'])) ?? 'main'
    known = named
    return named
  }

  const standing = async (branch: string, isThere: boolean): Promise<Fetched | RemoteFailure> => {
    const head = commitOf((await text(['rev-parse', '--verify', 'HEAD^{commit}'])) ?? '')
    if (head === null)
      return failure('failed', 'This repository has no commit yet; clone the remote instead.')
    const at = isThere ? await text(['rev-parse', '--verify', `${fetchedRef}^{commit}`]) : null
    const there = at === null ? null : commitOf(at)
    const counted =
      there === null
        ? `${(await text(['rev-list', '--count', head])) ?? '0'}\t0`
        : await text(['rev-list', '--left-right', '--count', `${head}...${there}`])
    const [outgoing, incoming] = (counted ?? '0\t0').split('\t').map(Number)
    return { _tag: 'Fetched', branch, head, remote: there, incoming: incoming ?? 0, outgoing: outgoing ?? 0 }
  }

  const fetch = async (signal: AbortSignal): Promise<Fetched | RemoteFailure> => {
    const by = await way(false)
    if (by._tag === 'Failed') return by
    await sweepLeftovers(repo, options.state)
    const branch = await branchOf(by, signal)
    if (typeof branch !== 'string') return branch
    if (!isBranchName(branch)) return failure('failed', 'server.sync_branch is no name of a branch.')
    const spec = `+refs/heads/${branch}:${fetchedRef}`
    const fetched = await distant(
      ['fetch', '--quiet', '--no-tags', '--no-prune', '--no-write-fetch-head', transientRemote, spec],
      by,
      signal,
    )
    const isMissing = fetched.code !== 0 && isMissingBranch(fetched.stderr)
    if (fetched.code !== 0 && !isMissing) return failureOf(fetched)
    isMissingThere = isMissing
    return standing(branch, !isMissing)
  }

  /** What was published is there without another fetch. */
  const seen = async (commit: CommitId): Promise<void> => {
    await local(['update-ref', fetchedRef, commit])
    isMissingThere = false
  }

  const push = async (branch: string, commit: CommitId, signal: AbortSignal): Promise<Pushed> => {
    const by = await way(true)
    if (by._tag === 'Failed') return by
    const spec = `${commit}:refs/heads/${branch}`
    const args = ['push', '--porcelain', '--quiet', '--no-verify', transientRemote, spec]
    const result = await distant(args, by, signal)
    if (result.timedOut) return { _tag: 'Unknown', detail: 'The push was not answered in time.' }
    const outcome = pushOutcome(result.code, result.stdout.toString('utf8'), result.stderr)
    if (outcome._tag === 'Pushed') await seen(commit)
    if (outcome._tag === 'Refused') return failure('push_rejected', by.shown(outcome.detail))
    if (outcome._tag !== 'Unknown' || remoteFailure(result.stderr) === 'failed') return outcome
    return failureOf(result)
  }

  const { parked, park } = parkedRefs(local, folder)

  return {
    facts: async () => {
      const named = await address(false)
      return { exists: named !== null, address: named === null ? null : shownAddress(named) }
    },
    fetch,
    compare: branch => standing(branch, !isMissingThere),
    integrate: (fetched, atMs, signal) => integrate({ ...options, memory }, fetched, atMs, signal),
    push,
    park,
    unpark: async (ref, commit) => {
      // A removal takes the lock on packed-refs, which may be anybody's.
      await asChore(realDisk, repo, () => local(['update-ref', '-d', ref, commit]))
    },
    parked,
    unpublished: async () => {
      const there = isMissingThere ? [] : [`^${fetchedRef}`]
      const counted = await text(['rev-list', '--count', 'HEAD', ...there, '--'])
      return counted === null ? null : Number(counted)
    },
    collectGarbage: async signal => {
      const options = { cwd: repo, signal, limitMs: 300_000 }
      await asChore(realDisk, repo, () => syncGit([...tidy, 'gc', '--auto', '--quiet'], options))
    },
  }
}
