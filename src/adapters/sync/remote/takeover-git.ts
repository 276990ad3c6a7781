import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { FetchedClaims, Flip } from '#protocol/fleet/takeover.js'
import type { GitResult } from '#src/adapters/git/git-command.js'
import { asChore } from '#src/adapters/landing/chores.js'
import { realDisk } from '#src/adapters/landing/disk.js'
import { takeoverTrailer } from '#src/domain/fleet/takeover-run.js'
import {
  apexOfFlip,
  readTopology,
  topologyBytesMax,
  topologyFileOf,
  topologyPath,
  townsMax,
} from '#src/domain/fleet/topology.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { FleetBranch, FleetTip, RemoteFailure, TakeoverGit } from '#src/ports/git.js'
import { buildTree, commitTree } from '../merge/merge-tree.js'
import { syncGit } from '../sync-git.js'
import { pushTo } from './publish-git.js'
import { findBranch } from './remote.js'
import { isBranchName, isRemoteName } from './remote-address.js'
import {
  failStep,
  failureOfGit,
  fetchedRef,
  findWay,
  openRemoteContext,
  printedTextOf,
  type RemoteContext,
  type RemoteOptions,
  type RunGit,
  remoteFailureOf,
  runFar,
  runGitIn,
} from './run-git.js'
import { transientRemote } from './transient-remote.js'

/** The git part of a takeover, by git's plumbing. Never forces, never moves a branch of the checkout (S14). */
export const takeoverGit = (options: RemoteOptions): TakeoverGit => {
  const context = openRemoteContext(options)
  const findChange = changeFinder(options)
  return {
    fetch: (claimBranch, signal) =>
      fetchClaims(context, findChange, claimBranch, signal).catch(remoteFailureOf),
    push: async (claim, signal) => {
      try {
        const commit = await makeCommit(context, claim, signal)
        return { commit, pushed: await pushTo(context, claim.branch, commit, signal) }
      } catch (error) {
        return remoteFailureOf(error)
      }
    },
    readFlip: fenceCommit => readFlip(options.repo, findChange, fenceCommit),
  }
}

/** The branch at which a checkout with this remote reads its fleet. */
export const gitFleetBranch = (repo: string, remote: string): FleetBranch => {
  const run = (...args: ReadonlyArray<string>): Promise<GitResult> =>
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

/** Where the branches of a takeover are stored; a converge has refs of its own, so neither waits for the other. */
const baseRef = 'refs/svc/takeover/base'
const claimRef = 'refs/svc/takeover/claim'

const never = new AbortController().signal

/** Finds the commit that last changed the file at a commit. */
type FindChange = (at: string) => Promise<string | null>

const tipsMax = 16

/** The same function as that of the fence of a host. It remembers the newest tips: the history of one never changes. */
const changeFinder = ({ repo, remote }: RemoteOptions): FindChange => {
  const { lastChange } = gitFleetBranch(repo, remote)
  const known = new Map<string, string | null>()
  return async at => {
    const before = known.get(at)
    if (before !== undefined) return before
    const commit = CommitId.decode(at)
    const found = isRight(commit) ? await lastChange(commit.right, topologyPath, null) : null
    known.set(at, found)
    for (const tip of [...known.keys()].slice(0, -tipsMax)) known.delete(tip)
    return found
  }
}

/** The file at a commit; null where it has none, or one that is too long to be read into memory. */
const readFile = async (run: RunGit, commit: string): Promise<SourceFile | null> => {
  const listed = await printedTextOf(run(['ls-tree', '--long', commit, '--', topologyPath]))
  const [, blob, bytesText] = /^100(?:644|755) blob ([0-9a-f]{40}) +(\d+)\t/.exec(listed) ?? []
  if (blob === undefined || Number(bytesText) > topologyBytesMax) return null
  const bytes = await run(['cat-file', 'blob', blob])
  return topologyFileOf(bytes.toString('utf8'), blob)
}

/**
 * Whether the commits change the file of the fleet and no other, also where a later one takes a change back: a merge
 * brings all of them. A claim has no merge. Git stops at the first other file, since one commit can have a billion.
 */
const changesFileAlone = async (run: RunGit, base: string, commit: string): Promise<boolean> => {
  const isAny = async (...args: ReadonlyArray<string>): Promise<boolean> =>
    (await printedTextOf(
      run(['rev-list', '--max-count=1', '--full-history', `${base}..${commit}`, ...args]),
    )) !== ''
  if ((await isAny('--merges', '--')) || !(await isAny('--', `:(top,literal)${topologyPath}`))) return false
  return !(await isAny('--', ':(top)', `:(top,literal,exclude)${topologyPath}`))
}

/** A branch below the name of the claim, which keeps the remote from having the claim; null where there is none. */
const readBelow = async (run: RunGit): Promise<FetchedClaims['claim']> => {
  const args = ['for-each-ref', '--count=1', '--format=%(objectname)', `${claimRef}/`]
  const commit = await printedTextOf(run(args))
  return commit === '' ? null : { commit, apex: null, isMerged: false, isPlain: false }
}

const readClaim = async (
  run: RunGit,
  tip: string,
  file: SourceFile | null,
): Promise<FetchedClaims['claim']> => {
  const commit = await printedTextOf(run(['rev-parse', '--quiet', '--verify', claimRef], {}, [0, 1]))
  if (commit === '') return readBelow(run)
  const base = await printedTextOf(run(['merge-base', tip, commit], {}, [0, 1]))
  const claimed = await readFile(run, commit)
  return {
    commit,
    apex: claimed === null || file === null ? null : apexOfFlip(claimed, file),
    isMerged: base === commit,
    isPlain: base !== '' && (await changesFileAlone(run, base, commit)),
  }
}

const fetchRefs = async (
  context: RemoteContext,
  claimBranch: string,
  signal: AbortSignal,
): Promise<string | RemoteFailure> => {
  const way = await findWay(context, 'fetch')
  if (way._tag === 'Failed') return way
  const branch = await findBranch(context, way, signal)
  if (typeof branch !== 'string') return branch
  if (!isBranchName(branch) || !isBranchName(claimBranch))
    return failStep('failed', 'server.sync_branch is not a branch name. Set another in .svc/config.json.')
  // A branch that is not there would fail the fetch; a pattern that matches nothing does not, and is pruned.
  const args = ['fetch', '--quiet', '--no-tags', '--prune', '--no-write-fetch-head', transientRemote]
  const claims = `+refs/heads/${claimBranch}*:${claimRef}*`
  // The removal of a claim that the remote has no more takes the lock on packed-refs.
  const fetched = await asChore(realDisk, context.options.repo, () =>
    runFar(context, [...args, `+refs/heads/${branch}:${baseRef}`, claims], way, signal),
  )
  return fetched.code === 0 ? branch : failureOfGit(fetched)
}

const fetchClaims = async (
  context: RemoteContext,
  findChange: FindChange,
  claimBranch: string,
  signal: AbortSignal,
): Promise<FetchedClaims | RemoteFailure> => {
  const branch = await fetchRefs(context, claimBranch, signal)
  if (typeof branch !== 'string') return branch
  const run = runGitIn(context.options.repo, signal)
  const tip = await printedTextOf(run(['rev-parse', '--verify', baseRef]))
  const file = await readFile(run, tip)
  const commit = file === null ? null : await findChange(tip)
  const topology =
    file === null || commit === null ? null : { fence: { commit, blob: file.blob }, text: file.text }
  return { _tag: 'Claims', branch, tip, topology, claim: await readClaim(run, tip, file) }
}

const makeCommit = async (
  { options: { repo, state } }: RemoteContext,
  { parent, text, message }: Parameters<TakeoverGit['push']>[0],
  signal: AbortSignal,
): Promise<string> => {
  const run = runGitIn(repo, signal)
  const blob = await printedTextOf(run(['hash-object', '-w', '--no-filters', '--stdin'], { input: text }))
  const tree = await buildTree(run, state, parent, [{ path: topologyPath, mode: '100644', blob }])
  const date = await printedTextOf(run(['show', '--no-patch', '--date=raw', '--format=%cd', parent]))
  return commitTree(run, tree, [parent], message, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date })
}

interface CommitNote {
  readonly seconds: number
  /** The branch of the takeover that made it; empty where a person did. */
  readonly takeover: string
}

const readNote = async (run: RunGit, commit: string): Promise<CommitNote> => {
  const format = `--format=%ct %(trailers:key=${takeoverTrailer},valueonly,separator=%x20)`
  const [seconds, ...trailer] = (await printedTextOf(run(['show', '--no-patch', format, commit]))).split(' ')
  return { seconds: Number(seconds), takeover: trailer.join('') }
}

/**
 * The change before this one. A claim that replaced another one of its branch has that one's. A takeover has at most a
 * claim of each town; `claimsLeft` ends the search in a history that was made to be long.
 */
const findChangeBefore = async (
  findChange: FindChange,
  run: RunGit,
  change: string,
  takeover: string,
  claimsLeft = townsMax,
): Promise<string | null> => {
  const parent = await printedTextOf(run(['rev-parse', '--quiet', '--verify', `${change}^`], {}, [0, 1]))
  const before = parent === '' ? null : await findChange(parent)
  if (before === null || takeover === '' || claimsLeft === 0) return before
  const isReplaced = (await readNote(run, before)).takeover === takeover
  return isReplaced ? findChangeBefore(findChange, run, before, takeover, claimsLeft - 1) : before
}

/**
 * When the commit came into the followed branch: the date of the first merge that has it. The commit of a claim has
 * the date of its parent, which may be old. Null where no merge brought it.
 */
const readMergeSeconds = async (run: RunGit, commit: string): Promise<number | null> => {
  const range = `${commit}..${fetchedRef}`
  const args = ['log', '--merges', '--ancestry-path', '--reverse', '--format=%ct', range]
  const [first] = (await printedTextOf(run(args, {}, [0, 128]))).split('\n')
  return first === undefined || first === '' ? null : Number(first)
}

const readFlip = async (repo: string, findChange: FindChange, fenceCommit: string): Promise<Flip | null> => {
  const run = runGitIn(repo, never)
  const { seconds, takeover } = await readNote(run, fenceCommit)
  const commit = await findChangeBefore(findChange, run, fenceCommit, takeover)
  const file = commit === null ? null : await readFile(run, commit)
  const read = file === null ? null : readTopology(file)
  if (commit === null || file === null || read === null || !isRight(read)) return null
  const mergedSeconds = takeover === '' ? null : await readMergeSeconds(run, fenceCommit)
  return {
    before: { commit, term: read.right.term, blob: file.blob },
    isTakeover: takeover !== '',
    dateMs: (mergedSeconds ?? seconds) * 1_000,
  }
}

const limitMs = 30_000

const commitIn = ({ stdout }: GitResult): CommitId | null => {
  const commit = CommitId.decode(stdout.toString('utf8').trim())
  return isLeft(commit) ? null : commit.right
}

/** Begins the record of a commit in the output of git. */
const recordStart = '\0'

/**
 * The arguments of `git log` for the changes of one file and the merges that join them. Children come before their
 * parents. A merge has a record for each parent with another version of the file.
 */
const changeLogArgs = (tip: string, path: string): ReadonlyArray<string> => [
  ...['log', '--simplify-merges', '--topo-order', '--parents', '--no-follow', '--format=%x00%H %P'],
  ...['--diff-merges=separate', '--raw', '--no-abbrev', '--no-renames', tip, '--', path],
]

interface Change {
  readonly parents: ReadonlyArray<string>
  /** Mode and blob after the commit; null of a merge whose parents all have its version. */
  readonly version: string | null
}

/** Changes by commit, children first. */
const readChanges = (output: string): ReadonlyMap<string, Change> => {
  const changes = new Map<string, Change>()
  for (const record of output.split(recordStart).slice(1)) {
    const [head = '', ...lines] = record.split('\n')
    const [id = '', ...parents] = head.trim().split(' ')
    const raw = lines.find(line => line.startsWith(':'))
    const [, mode = '', , blob = ''] = raw?.split(' ') ?? []
    changes.set(id, { parents, version: raw === undefined ? null : `${mode} ${blob}` })
  }
  return changes
}

/**
 * The commit that brought the version of the file at the first commit of `changeLogArgs`; null where no commit has
 * changed the file. A side whose version a merge did not keep does not count, whatever it changed. A merge counts where
 * it has the version of none of its sides. Of two commits that brought the version the descendant counts.
 */
const findLastChange = (output: string): CommitId | null => {
  const changes = readChanges(output)
  const versionOf = (id: string): string | null => {
    const change = changes.get(id)
    if (change === undefined) return null
    const [parent] = change.parents
    return change.version ?? (parent === undefined ? null : versionOf(parent))
  }
  const [tip] = changes.keys()
  const kept = new Set(tip === undefined ? [] : [tip])
  // Children come first, so every commit that leads to another one was looked at before it.
  for (const [id, { parents }] of changes) {
    if (!kept.has(id)) continue
    const sides = parents.filter(parent => versionOf(parent) === versionOf(id))
    if (sides.length === 0) {
      const commit = CommitId.decode(id)
      return isRight(commit) ? commit.right : null
    }
    for (const side of sides) kept.add(side)
  }
  return null
}
