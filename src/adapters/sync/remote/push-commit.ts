import type { CommitId } from '#protocol/atoms.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'
import type { Pushed, RemoteFailure } from '#src/ports/git.js'
import { findShunned, namePaths, readShunned } from '../shunned.js'
import { markSeen } from './follow-tip.js'
import { pushOutcome, remoteFailure } from './git-words.js'
import { findWay, runFar } from './reach-remote.js'
import { failStep, failureOfGit, fetchedRef, type RemoteContext, runNear } from './remote-context.js'
import { remoteFailureOf, runGitIn } from './run-git.js'
import { transientRemote } from './transient-remote.js'

const never = new AbortController().signal

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

/** Whether a commit contains what was fetched (S14). The remote checks it too; true where git cannot tell. */
const isFastForward = async (context: RemoteContext, commit: CommitId): Promise<boolean> =>
  context.isMissingThere ||
  (await runNear(context, ['merge-base', '--is-ancestor', fetchedRef, commit])).code !== 1

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
