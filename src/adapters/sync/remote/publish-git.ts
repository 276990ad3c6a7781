import type { CommitId, RepoPath } from '#protocol/atoms.js'
import type { ForgeMerge } from '#protocol/host/forge.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { enactedLedgers, reversalRoute } from '#src/domain/points/enacted-rows.js'
import type { Fetched, PublishGit, Pushed, RemoteFailure } from '#src/ports/git.js'
import { composeMerge } from '../merge/merge-tree.js'
import { findShunned, namePaths, readShunned } from '../shunned.js'
import { markSeen } from './follow-tip.js'
import { pushOutcome, remoteFailure } from './git-words.js'
import { publishBranchOf } from './remote-address.js'
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
  readNear,
  remoteFailureOf,
  runFar,
  runGitIn,
  runNear,
} from './run-git.js'
import { transientRemote } from './transient-remote.js'

/** The git part of mode `mr`, by git's plumbing. Moves no branch of the checkout, and never forces (S14). */
export const publishGit = (options: RemoteOptions): PublishGit => {
  const context = openRemoteContext(options)
  const branch = publishBranchOf(options.town)
  const git = gitOf(context)
  const { run, isAncestor } = git
  return {
    branch,
    joinSquash: async (fetched, merges) => {
      const { head, remote } = fetched
      if (remote === null) return fetched
      for (const merge of merges) {
        if (!(await isNews(git, fetched, merge))) continue
        const joined = await composeJoin(run, branch, merge.tip, remote)
        await run(['update-ref', squashRef, joined])
        return { ...fetched, remote: joined, ...(await countSides(run, head, joined)) }
      }
      return fetched
    },
    isTakenOver: (head, remote) => hasSameTree(git, head, remote),
    hasWritesSince: async (since, head, remote) => {
      if (!(await isAncestor(since, since))) return true
      const others = ['--invert-grep', `--grep=^Svc-Route: ${reversalRoute}`]
      const args = ['rev-list', '--count', '--max-count=1', '--no-merges', ...others, head, `^${since}`]
      return (await printedTextOf(run([...args, ...(await omitPublished(git, remote)), '--']))) !== '0'
    },
    ledgersAt: async commit => {
      if (!(await isAncestor(commit, commit))) return null
      const ledgers = new Map<RepoPath, ReadonlyArray<string>>()
      for (const path of enactedLedgers) {
        const listed = await printedTextOf(run(['ls-tree', commit, '--', path]))
        const [, blob] = /^100(?:644|755) blob ([0-9a-f]{40})\t/.exec(listed) ?? []
        if (blob === undefined) continue
        ledgers.set(path, rawLines((await run(['cat-file', 'blob', blob])).toString('utf8')))
      }
      return ledgers
    },
    push: (commit, signal) => pushTo(context, branch, commit, signal),
    unpublished: async () => {
      const onBranch = await readNear(context, ['symbolic-ref', '--quiet', 'HEAD'])
      if (onBranch?.startsWith('refs/heads/') !== true) return null
      const sides = await readSides(run)
      return sides === null ? null : await countWaiting(git, sides)
    },
  }
}

/** Pushes exactly this commit to any branch, as a fast-forward. */
export const pushTo = async (
  context: RemoteContext,
  branch: string,
  commit: string,
  signal: AbortSignal,
): Promise<Pushed> => {
  const way = await findWay(context, 'push')
  if (way._tag === 'Failed') return way
  const refused = await refuseShunned(context, commit)
  if (refused !== null) return refused
  const spec = `${commit}:refs/heads/${branch}`
  const args = ['push', '--porcelain', '--quiet', '--no-verify', transientRemote, spec]
  const result = await runFar(context, args, way, signal)
  if (result.timedOut) return { _tag: 'Unknown', detail: 'The push was not answered in time.' }
  const outcome = pushOutcome(result.code, result.stdout.toString('utf8'), result.stderr)
  if (outcome._tag === 'Refused') return failStep('push_rejected', way.shown(outcome.detail))
  if (outcome._tag !== 'Unknown' || remoteFailure(result.stderr) === 'failed') return outcome
  return failureOfGit(result)
}

/** Pushes exactly this commit to the followed branch, as a fast-forward. */
export const pushCommit = async (
  context: RemoteContext,
  branch: string,
  commit: CommitId,
  signal: AbortSignal,
): Promise<Pushed> => {
  if (!(await isFastForward(context, commit))) {
    processMeter.count('svc_invariant_violations_total', { invariant: 'S14' })
    return failStep('failed', 'The commit does not contain the branch of the remote, so it was not pushed.')
  }
  const outcome = await pushTo(context, branch, commit, signal)
  if (outcome._tag === 'Pushed') {
    await markSeen(context, branch, commit)
    context.isMissingThere = false
  }
  return outcome
}

/** The last commit that joined a squash: it and its ancestors are published where the remote has its second parent. */
const squashRef = 'refs/svc/squash'

const never = new AbortController().signal

/** Git in the checkout, for what fails where git does and for questions that its exit code answers. */
interface Git {
  readonly run: RunGit
  /** Whether a commit is another one or its ancestor; false where either is not known here. */
  readonly isAncestor: (commit: string, of: string) => Promise<boolean>
}

const gitOf = (context: RemoteContext): Git => ({
  run: runGitIn(context.options.repo, never),
  isAncestor: async (commit, of) => {
    const { code } = await runNear(context, ['merge-base', '--is-ancestor', commit, of])
    if (code === null) throw new Error('git merge-base did not end in time')
    return code === 0
  },
})

/** Whether this squash is in the remote, and its tip here and nowhere else. */
const isNews = async (
  { isAncestor }: Git,
  { head, remote }: Fetched,
  { tip, commit }: ForgeMerge,
): Promise<boolean> =>
  remote !== null &&
  (await isAncestor(commit, remote)) &&
  (await isAncestor(tip, head)) &&
  !(await isAncestor(tip, remote)) &&
  !(await isAncestor(commit, head))

const countSides = async (run: RunGit, head: string, remote: string) => {
  const counted = await printedTextOf(run(['rev-list', '--left-right', '--count', `${head}...${remote}`]))
  const [outgoing, incoming] = counted.split('\t').map(Number)
  return { outgoing: outgoing ?? 0, incoming: incoming ?? 0 }
}

/** Makes the commit that says that the remote has the contents of the tip. Its id depends on the two commits alone. */
const composeJoin = async (run: RunGit, branch: string, tip: string, remote: CommitId): Promise<CommitId> => {
  const shown = ['show', '--no-patch', '--format=%T %ct', remote]
  const [tree = '', seconds = '0'] = (await printedTextOf(run(shown))).split(' ')
  const subject = `sync: the merge request of ${branch} was squashed`
  return composeMerge(run, { tree, parents: [tip, remote], subject, body: [], atMs: Number(seconds) * 1_000 })
}

const treesOf = async (run: RunGit, ...commits: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  (await printedTextOf(run(['rev-parse', ...commits.map(commit => `${commit}^{tree}`)]))).split('\n')

/** The commits that a count leaves out: those of the remote, and those that it took over by a squash. */
const omitPublished = async ({ isAncestor }: Git, remote: string): Promise<ReadonlyArray<string>> =>
  (await isAncestor(`${squashRef}^2`, remote)) ? [`^${remote}`, `^${squashRef}`] : [`^${remote}`]

const hasSameTree = async ({ run, isAncestor }: Git, head: string, remote: string): Promise<boolean> => {
  const [ours, theirs] = await treesOf(run, head, remote)
  return ours === theirs && (await isAncestor(remote, head))
}

/** Both sides with their trees, and whether this host ever joined a squash. */
interface Sides {
  readonly head: string
  readonly headTree: string
  readonly remote: string
  readonly remoteTree: string
  readonly hasSquash: boolean
}

/**
 * Reads them by one git, because the count runs five times a second while writes come. Null where a side is not
 * known here.
 */
const readSides = async (run: RunGit): Promise<Sides | null> => {
  // Output ends before the first name that is not known here, so the squash, which few hosts have, comes last.
  const names = ['HEAD', 'HEAD^{tree}', fetchedRef, `${fetchedRef}^{tree}`, `${squashRef}^2`]
  const shown = await printedTextOf(run(['rev-parse', '--revs-only', ...names]))
  const [head, headTree, remote, remoteTree, squashed] = shown.split('\n')
  if (head === undefined || headTree === undefined) return null
  if (remote === undefined || remoteTree === undefined) return null
  return { head, headTree, remote, remoteTree, hasSquash: squashed !== undefined }
}

const countWaiting = async (git: Git, sides: Sides): Promise<number> => {
  const { head, remote, hasSquash } = sides
  if (sides.headTree === sides.remoteTree && (await git.isAncestor(remote, head))) return 0
  const omitted = hasSquash ? await omitPublished(git, remote) : [`^${remote}`]
  return Number(await printedTextOf(git.run(['rev-list', '--count', head, ...omitted, '--'])))
}

/** Refuses a commit that would publish again what was purged. */
const refuseShunned = async (context: RemoteContext, commit: string): Promise<RemoteFailure | null> => {
  const run = runGitIn(context.options.repo, never)
  try {
    if ((await readShunned(run)).size === 0) return null
    const there = (await run(['rev-parse', '--quiet', '--verify', fetchedRef], {}, [0, 1]))
      .toString('utf8')
      .trim()
    const shunned = await findShunned(run, there === '' ? null : there, commit)
    return shunned.length === 0
      ? null
      : failStep(
          'history_purged',
          `Commits here would publish again what was purged: ${namePaths(shunned)}. ` +
            'kronika accept-rewrite takes it out.',
        )
  } catch (error) {
    return remoteFailureOf(error)
  }
}

/** Whether a commit contains what was fetched (S14). The remote checks it too; true where git cannot tell. */
const isFastForward = async (context: RemoteContext, commit: CommitId): Promise<boolean> =>
  context.isMissingThere ||
  (await runNear(context, ['merge-base', '--is-ancestor', fetchedRef, commit])).code !== 1
