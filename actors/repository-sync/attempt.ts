import { acceptRewrite } from './accept-rewrite.js'
import { type AttemptOptions, type AttemptPorts, type ConvergeStep, stepWords } from './attempt-ports.js'
import { integrateFetched, type Merge, stopAttempt } from './join-remote.js'
import type { ConvergeOutcome, ReachedOutcome } from './messages.js'
import { type Fetch, learnSquashes } from './publish/learn-squashes.js'
import { publishHead, publishHeadByRequest, reach } from './publish/publish-head.js'

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
