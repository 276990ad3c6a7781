import { isRight } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import { asChore } from '#src/adapters/landing/chores.js'
import { realDisk } from '#src/adapters/landing/disk.js'
import type { RemoteFailure, Rewrite } from '#src/ports/git.js'
import { findShunned, namePaths } from '../shunned.js'
import { syncGit } from '../sync-git.js'
import { causeOf } from './git-words.js'
import { refPartOf } from './remote-address.js'
import {
  failStep,
  fetchedRef,
  type RemoteContext,
  readNear,
  runGitIn,
  runNear,
  shallowWords,
} from './run-git.js'

/** What the last fetch found. It becomes `fetchedRef` once the remote is known to have what it had before. */
export const incomingRef = 'refs/svc/incoming'

/**
 * The new tip while the operator has not accepted it; where the remote lost the branch, the tip that this host saw
 * last. Exists only while that is so.
 */
export const rewrittenRef = 'refs/svc/rewritten'

/** Changes refs of ours together or not at all; a null commit deletes. Throws where git refuses. */
export const changeRefs = async (
  { options: { repo }, limitsMs }: RemoteContext,
  changes: Readonly<Record<string, string | null>>,
): Promise<void> => {
  const lines = Object.entries(changes).map(([ref, to]) =>
    to === null ? `delete ${ref}\n` : `update ${ref} ${to}\n`,
  )
  const run = () =>
    syncGit(['update-ref', '--stdin'], {
      cwd: repo,
      signal: never,
      limitMs: limitsMs.near,
      input: lines.join(''),
    })
  // A removal takes the lock on packed-refs, which a person's git may also take.
  const { code, stderr } = await (Object.values(changes).includes(null)
    ? asChore(realDisk, repo, run)
    : run())
  if (code !== 0) throw new Error(`git update-ref failed: ${causeOf(stderr)}`)
}

/** Records what the remote has at a branch now. */
export const markSeen = (context: RemoteContext, branch: string, tip: CommitId): Promise<void> =>
  changeRefs(context, { [fetchedRef]: tip, [incomingRef]: tip, [seenRefOf(branch)]: tip })

/**
 * Takes a tip that was not accepted before as what the remote has; nothing where only this host had another history.
 */
export const settleRewrite = async (
  context: RemoteContext,
  { seen: before, tip }: Rewrite,
): Promise<void> => {
  if (tip === null || tip === before || context.followed === null) return
  const seen = { [fetchedRef]: tip, [seenRefOf(context.followed)]: tip }
  await changeRefs(context, { ...seen, [rewrittenRef]: null })
}

/**
 * Takes what was fetched as the branch of the remote, and remembers it. Fails with `history_rewritten`, and leaves
 * `fetchedRef` as it was, where the remote does not have what this host saw there last.
 */
export const followTip = async (
  context: RemoteContext,
  branch: string,
  isMissing: boolean,
): Promise<RemoteFailure | null> => {
  context.followed = branch
  try {
    const cloned = `refs/remotes/${context.options.remote}/${branch}`
    const refs = await readRefs(context, incomingRef, fetchedRef, rewrittenRef, seenFolder, cloned)
    const tip = isMissing ? null : (refs.get(incomingRef) ?? null)
    const seen = await findSeen(context, branch, refs, tip)
    const verdict = await judgeTip(seen, tip, askAncestor(context))
    const ended = refs.has(rewrittenRef) ? { [rewrittenRef]: null } : {}
    if (verdict === 'Forward') {
      const shunned =
        tip === null || tip === seen
          ? []
          : await findShunned(runGitIn(context.options.repo, never), seen, tip)
      if (shunned.length > 0)
        return failStep(
          'history_purged',
          `The remote has again what was purged there: ${namePaths(shunned)}.`,
        )
      const isKnown = tip === refs.get(fetchedRef) && tip === refs.get(seenRefOf(branch))
      const moved = tip === null || isKnown ? {} : { [fetchedRef]: tip, [seenRefOf(branch)]: tip }
      if (Object.keys({ ...moved, ...ended }).length > 0) await changeRefs(context, { ...moved, ...ended })
      return null
    }
    // A clone that lacks commits cannot tell a rewrite.
    if (tip !== null && (await readNear(context, ['rev-parse', '--is-shallow-repository'])) === 'true')
      return failStep('shallow_clone', shallowWords(context.options.remote))
    await changeRefs(context, { [rewrittenRef]: tip ?? seen, [fetchedRef]: seen, [seenRefOf(branch)]: seen })
    context.isMissingThere = false
    const before = `The branch ${branch} of the remote was at ${seen}`
    return failStep(
      'history_rewritten',
      tip === null
        ? `${before} and is gone. Push it there again, or set another server.sync_branch.`
        : `${before}, which is not among the ancestors of ${tip}, where it is now. ${mend}`,
    )
  } catch (error) {
    return failStep('failed', error instanceof Error ? error.message : String(error))
  }
}

/**
 * Compares the tip of the remote with the one that was seen last; null: none was seen, or the remote has no such
 * branch. A host integrates and publishes only after `Forward`: a merge with what the remote took back would publish
 * it again.
 */
export const judgeTip = async (
  seen: CommitId | null,
  tip: CommitId | null,
  isAncestor: (commit: CommitId, of: CommitId) => Promise<boolean>,
): Promise<TipVerdict> => {
  if (seen === null || seen === tip) return 'Forward'
  if (tip === null) return 'Gone'
  return (await isAncestor(seen, tip)) ? 'Forward' : 'Rewritten'
}

const seenFolder = 'refs/svc/seen'

/** The tip that the remote had last at this branch. Each branch has its own, so that another one is no rewrite. */
const seenRefOf = (branch: string): string => `${seenFolder}/${refPartOf(branch)}`

const never = new AbortController().signal

/** Reads the commits of refs and of folders of refs, by name. */
const readRefs = async (
  context: RemoteContext,
  ...names: ReadonlyArray<string>
): Promise<ReadonlyMap<string, CommitId>> => {
  const printed = await readNear(context, ['for-each-ref', '--format=%(refname) %(objectname)', ...names])
  if (printed === null) throw new Error('git for-each-ref failed')
  return new Map(
    printed.split('\n').flatMap(line => {
      const [ref = '', id] = line.split(' ')
      const commit = CommitId.decode(id)
      return isRight(commit) ? [[ref, commit.right] as const] : []
    }),
  )
}

const askAncestor =
  (context: RemoteContext) =>
  async (commit: CommitId, of: CommitId): Promise<boolean> => {
    const { code, stderr } = await runNear(context, ['merge-base', '--is-ancestor', commit, of])
    if (code !== 0 && code !== 1) throw new Error(`git merge-base failed: ${causeOf(stderr)}`)
    return code === 0
  }

/**
 * The tip that was seen last. Before the first converge of this branch it is what the clone found there, where that
 * belongs to the history of the new tip: a checkout may have been pointed at another repository since.
 */
const findSeen = async (
  context: RemoteContext,
  branch: string,
  refs: ReadonlyMap<string, CommitId>,
  tip: CommitId | null,
): Promise<CommitId | null> => {
  const own = refs.get(seenRefOf(branch))
  if (own !== undefined) return own
  const isFirstBranch = ![...refs.keys()].some(ref => ref.startsWith(`${seenFolder}/`))
  const fetched = isFirstBranch ? refs.get(fetchedRef) : undefined
  if (fetched !== undefined) return fetched
  const cloned = refs.get(`refs/remotes/${context.options.remote}/${branch}`)
  if (cloned === undefined || tip === null) return null
  return (await readNear(context, ['merge-base', cloned, tip])) === null ? null : cloned
}

const mend = 'See kronika accept-rewrite.'

/**
 * What the remote did to the branch since this host saw it last: nothing that a fast-forward could not do (`Forward`,
 * also at the first look), another history (`Rewritten`, also a branch that was wound back), or removed it (`Gone`).
 */
type TipVerdict = 'Forward' | 'Rewritten' | 'Gone'
