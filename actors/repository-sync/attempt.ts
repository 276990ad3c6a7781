import { isLeft } from 'fp-ts/lib/Either.js'
import type { Rewrite } from '#src/ports/git.js'
import {
  type AttemptOptions,
  type AttemptPorts,
  type ConvergeStep,
  integrateFetched,
  loseAttempt,
  type Merge,
  outcomeOfFailure,
  stepWords,
  stopAttempt,
} from './join-remote.js'
import { type Fetch, learnSquashes, publishHead, publishHeadByRequest, reach } from './publish-head.js'
import type { ConvergeOutcome, ParkedNote, ReachedOutcome } from './state.js'

/**
 * One attempt to converge: fetch, integrate, publish. After `limitMs` the step that still runs is aborted, and the
 * attempt stops with `timeout` and the name of that step.
 */
export const attempt = async (
  ports: AttemptPorts,
  options: AttemptOptions,
  signal: AbortSignal,
): Promise<ConvergeOutcome> => {
  let step: ConvergeStep = 'fetch'
  const over = new AbortController()
  const cancel = ports.after(options.limitMs, () => over.abort())
  const timed: AttemptPorts['timed'] = (named, work) => {
    step = named
    return ports.timed(named, work)
  }
  const outcome = await attemptSteps({ ...ports, timed }, options, AbortSignal.any([signal, over.signal]))
  cancel()
  if (!over.signal.aborted || !isCutOff(outcome)) return outcome
  const { received, incoming, merged, resolved, parked } = outcome
  const detail = `The converge did not end in time: it waited for ${stepWords[step]}.`
  return stopAttempt('timeout', detail, { received, incoming, merged, resolved, parked })
}

const isOutcome = (found: Fetch | Merge | ConvergeOutcome): found is ConvergeOutcome => '_tag' in found

/** Fetches and integrates; publishes nothing. */
const receiveRemote = async (
  ports: AttemptPorts,
  options: AttemptOptions,
  signal: AbortSignal,
): Promise<Merge | ConvergeOutcome> => {
  const { publishMode, holdMs, accepts } = options
  const found = await ports.timed('fetch', () => ports.remote.fetch(signal))
  if (found._tag === 'Failed') {
    const { rewrite } = accepts ? await ports.remote.held() : { rewrite: null }
    if (found.action !== 'history_rewritten' || rewrite === null || rewrite.tip === null)
      return stopAttempt(found.action, found.detail)
    const refused = await acceptRewrite(ports, rewrite, signal)
    return refused ?? receiveRemote(ports, { ...options, accepts: false }, signal)
  }
  const fetch = publishMode === 'mr' ? await learnSquashes(ports, found, signal) : { fetched: found, ports }
  if (isOutcome(fetch)) return fetch
  return integrateFetched(fetch.ports, fetch.fetched, holdMs, signal)
}

/** Fetches what the forge has just merged. Whatever ends that, the commits are published. */
const receiveMerged = async (
  ports: AttemptPorts,
  options: AttemptOptions,
  reached: ReachedOutcome,
  signal: AbortSignal,
): Promise<ConvergeOutcome> => {
  if (reached.parked !== null) return reached
  const merge = await receiveRemote(ports, options, signal)
  if (isOutcome(merge) || merge.end._tag !== 'Joined') return reached
  const { head, done } = merge.end
  const from = reached.incoming?.from ?? done.incoming?.from
  return {
    ...reached,
    ...done,
    head,
    received: reached.received + done.received,
    resolved: reached.resolved + done.resolved,
    merged: reached.merged || done.merged,
    incoming:
      from === undefined ? null : { from, to: done.incoming?.to ?? reached.incoming?.to ?? reached.head },
  }
}

/** The fetch shows the outcome of an earlier push: a commit that the remote already has is not sent again (F5). */
const attemptSteps = async (
  ports: AttemptPorts,
  options: AttemptOptions,
  signal: AbortSignal,
): Promise<ConvergeOutcome> => {
  try {
    const merge = await receiveRemote(ports, options, signal)
    if (isOutcome(merge)) return merge
    const { fetched, end } = merge
    if (end._tag !== 'Joined') return end
    const { head, done } = end
    if (options.publishMode === 'none') return reach(done, head, 0, fetched.outgoing + (done.merged ? 1 : 0))
    const publish = options.publishMode === 'push' ? publishHead : publishHeadByRequest
    const ended = await publish(ports, fetched, head, done, signal)
    const isPurged = ended._tag === 'Stopped' && ended.action === 'history_purged'
    if (isPurged && options.accepts && fetched.remote !== null) {
      // Commits here have what was purged: they are made again on what the remote has, without it.
      const refused = await acceptRewrite(ports, { seen: fetched.remote, tip: fetched.remote }, signal)
      return refused ?? (await attempt(ports, { ...options, accepts: false }, signal))
    }
    if (options.publishMode === 'push') return ended
    const isMerged = ended._tag === 'Reached' && ended.sent > 0
    return isMerged ? await receiveMerged(ports, options, ended, signal) : ended
  } catch (error) {
    return stopAttempt('failed', error instanceof Error ? error.message : String(error))
  }
}

/** Whether an outcome says nothing but that the attempt was cut off. */
const isCutOff = (outcome: ConvergeOutcome): boolean =>
  outcome._tag === 'Beaten' ||
  (outcome._tag === 'Stopped' && (outcome.action === 'failed' || outcome.action === 'timeout'))

/** How long writes may wait while their commits are made again on the new history. */
const holdMs = 110_000

/**
 * Takes a history that the remote was given since this host saw it last, while no write lands. Keeps the branch as it
 * was under a parked ref, makes the unpublished commits again on the new tip, parks what does not apply, and moves
 * the branch. Null where that was done; otherwise how the attempt ended, with the branch where it was. An accept that
 * a crash cut off is done again: the same commits come of it.
 */
const acceptRewrite = async (
  ports: AttemptPorts,
  rewrite: Rewrite,
  signal: AbortSignal,
): Promise<ConvergeOutcome | null> => {
  const { remote } = ports
  const done = await ports.hold(async (advance, held): Promise<ConvergeOutcome | null> => {
    const compared = await remote.compare('')
    if (compared._tag === 'Failed') return stopAttempt(compared.action, compared.detail)
    const { head } = compared
    // Kept before anything else: at no time is an acknowledged commit without a ref.
    const kept = await remote.park(head)
    const giveUp = async (ended: ConvergeOutcome): Promise<ConvergeOutcome> => {
      if (kept.isNew) await remote.unpark(kept.ref, kept.commit)
      return ended
    }
    const replayed = await remote.replay(rewrite, head, AbortSignal.any([signal, held]))
    if (replayed._tag === 'Failed') return giveUp(stopAttempt(replayed.action, replayed.detail))
    const { commit: to, made } = replayed
    const parked: Array<ParkedNote> = []
    for (const left of replayed.parked) parked.push({ ...left, ref: (await remote.park(left.commit)).ref })
    if (to !== head) {
      await remote.replace({ from: head, to })
      const moved = await advance(head, to, 'sync: accept the rewritten history', true)
      if (isLeft(moved)) return giveUp(outcomeOfFailure(moved.left))
    }
    // Recorded before the rewrite is settled: a crash between the two lets the operator accept again.
    ports.accepted({ rewrite, from: head, to, kept: kept.ref, made, parked })
    await remote.settle(rewrite)
    return null
  }, holdMs)
  return isLeft(done) ? loseAttempt('gate', done.left) : done.right
}
