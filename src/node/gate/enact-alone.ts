import { randomUUID } from 'node:crypto'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Loaded, type LoadPorts, load } from '#actors/corpus-keeper/load.js'
import { attempt } from '#actors/repository-sync/attempt.js'
import type { AdvanceBranch, AttemptPorts } from '#actors/repository-sync/join-remote.js'
import { addOutcome, endOf, holdMsOf, runOf } from '#actors/repository-sync/state.js'
import { attemptBatch, type BatchPorts, decideBatch } from '#actors/write-gate/land-batch.js'
import { failureRefusal } from '#actors/write-gate/refusals.js'
import { advance } from '#actors/write-gate/state.js'
import { routes } from '#protocol/routes.js'
import { gitRemote, openPublisher } from '#src/adapters/sync/remote/remote.js'
import type { RemoteOptions } from '#src/adapters/sync/remote/run-git.js'
import { type GateState, gateRefusal } from '#src/domain/admin/gate-arms.js'
import { machine } from '#src/domain/identity/credentials/tokens.js'
import { replyToOf } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { TreeSource } from '#src/ports/git.js'
import type { Meter } from '#src/ports/records.js'
import { unreadLedgers } from '#src/snapshot/left-out.js'
import { builtInHooks } from '#src/writing/batch/hooks.js'
import type { WritePort } from '#src/writing/command.js'
import { planCommandBy, planners } from '#src/writing/plan-command.js'
import { fleetKeySource, signLanding } from '../identity/fleet-keys.js'
import type { Checkout } from '../start/checkout.js'
import { advanceResult } from '../sync/repository-sync.js'
import { convergeMsMax, whySyncIsOff } from '../sync/sync.js'
import { enactBy, type ReachedRemote, reachedBy } from './enact.js'
import { readCommittedBytes } from './gate.js'
import { preview } from './preview.js'

/** A checkout that this process holds, and what it writes with. */
export interface LoneHost {
  readonly checkout: Checkout
  readonly load: LoadPorts
  /** The town whose key signs; empty: commits are not signed. */
  readonly town: string
  readonly warn: (event: string, fields: object) => void
}

/**
 * Makes enactments on a held checkout without a daemon: planned, pushed and repeated as the write gate and the sync do
 * it, by the same functions. It runs no hook after a write: the audit lines stay owed, and the next host that serves
 * the checkout writes them.
 */
export const enactAlone = (host: LoneHost): WritePort => {
  const { checkout, load: loading } = host
  const { signal } = new AbortController()
  const ports = batchPorts(host)
  const isEnactment = loading.config['server.publish_mode'] === 'push'
  const enact = enactBy({
    write: writeThrough(ports, signal, false),
    publish: writeThrough(ports, signal, true),
    isEnactment: () => isEnactment,
    converge: convergeAlone(host, ports, signal),
    hasCommit: async commit => checkout.source.contains(await checkout.source.head(), commit),
  })
  return async command => {
    const recovered = await (checkout.landing?.recover() ?? Promise.resolve(right(null)))
    return isLeft(recovered) ? left(failureRefusal(recovered.left)) : enact(command)
  }
}

/** Returns what an enactment would do on HEAD. Only reads commits. */
export const previewAlone = (source: TreeSource, loading: LoadPorts, warn: LoneHost['warn']): WritePort => {
  const fresh = freshSnapshot(loading)
  return async command => {
    const snapshot = await fresh()
    const closed = gateRefusal(
      { ...armsOf(loading, snapshot.format.state), unreadLedgers: unreadLedgers(snapshot) },
      true,
    )
    return closed === null
      ? preview({ ...planning(source, warn), checked: null }, snapshot, command)
      : left(closed)
  }
}

const planning = (source: TreeSource, warn: LoneHost['warn']) => {
  const admit = () => right(machine)
  return {
    admit,
    plan: planCommandBy({ table: routes, planners, admit }),
    containsCommit: () => Promise.resolve(false),
    hooks: builtInHooks,
    nowMs: realClock.nowMs,
    read: readCommittedBytes(tree => (tree === 'lore' ? source : undefined)),
    trees: new Map(),
    warn,
  }
}

const freshSnapshot = (loading: LoadPorts) => {
  let loaded: Loaded | null = null
  return async () => {
    loaded = (await load(loading, loaded)) ?? loaded
    if (loaded === null) throw new Error('a first load always loads')
    return loaded.build.snapshot
  }
}

/** A clone that converges before each write is never stale. */
const armsOf = ({ config }: LoadPorts, format: GateState['format']): GateState => ({
  format,
  syncStale: false,
  mode: config['server.read_only'] ? 'ReadOnly' : 'ReadWrite',
  detail: config['server.read_only'] ? 'The configuration sets server.read_only.' : null,
})

const remotePlace = ({ checkout, load: { config }, town }: LoneHost): RemoteOptions => ({
  repo: checkout.repo,
  state: checkout.state,
  remote: config['server.sync_remote'],
  branch: config['server.sync_branch'],
  town,
  breathe: daemonBreather(),
})

type LonePorts = BatchPorts & Parameters<typeof advance>[0]

const batchPorts = (host: LoneHost): LonePorts => {
  const { checkout, load: loading, town, warn } = host
  const { source, landing, runtime, state } = checkout
  const fresh = freshSnapshot(loading)
  let format: GateState['format'] = 'Current'
  let snapshot: Awaited<ReturnType<typeof fresh>> | null = null
  const signer = { town, source: fleetKeySource(process.env, state), snapshot: () => snapshot }
  let mode = armsOf(loading, format)
  return {
    ...planning(source, warn),
    landing: landing === null ? null : signLanding(landing, signer),
    push: openPublisher(remotePlace(host)),
    fresh: async () => {
      snapshot = await fresh()
      format = snapshot.format.state
      return snapshot
    },
    arms: () => ({
      ...mode,
      format,
      unreadLedgers: unreadLedgers(snapshot),
      stateGone: !runtime.stands(),
    }),
    mode: {
      get: () => ({ mode: mode.mode, detail: mode.detail ?? null }),
      set: next => {
        mode = { ...mode, ...next }
      },
    },
    published: () => Promise.resolve(true),
    publish: () => undefined,
    meter: noMeter,
    afterWrite: [],
    after: realClock.after,
    monotonicMs: realClock.monotonicMs,
    newIntent: randomUUID,
  }
}

/** Lands one command, as the gate does: plans it again where the branch moved. */
const writeThrough =
  (ports: LonePorts, signal: AbortSignal, publishes: boolean): WritePort =>
  async command => {
    for (let tries = 1; ; tries += 1) {
      const write = { command, publishes, replyTo: replyToOf(command.row, () => true) }
      const decision = decideBatch(1, tries, await attemptBatch(ports, [write], signal))
      if (decision._tag === 'TryAgain') continue
      const { settled, failure } = decision.end
      if (failure !== null) ports.warn('refresh_failed', failure)
      const [only] = settled
      if (only === undefined) throw new Error('a write that is alone is never deferred')
      return only.outcome
    }
  }

/** Converges as the sync does: tries again, after a pause, where another host or a person was faster. */
const convergeAlone = (host: LoneHost, ports: LonePorts, signal: AbortSignal) => {
  const { config } = host.load
  const remote = gitRemote(remotePlace(host))
  const move: AdvanceBranch = async (from, to, reason, replaces = false) =>
    advanceResult(await advance(ports, { tree: 'lore', from, to, reason, replaces }, signal))
  const attempts: AttemptPorts = {
    remote,
    advance: move,
    // No write of this process runs beside the converge, so there is nothing to hold.
    hold: async work => right(await work(move, signal)),
    nowMs: realClock.nowMs,
    after: realClock.after,
    accepted: () => undefined,
    requests: { missing: 'kronika enact publishes by push alone.' },
    timed: (_step, work) => work(),
  }
  return async (): Promise<ReachedRemote> => {
    const intervalMinutes = config['server.sync_interval_min']
    if (intervalMinutes === 0 || !(await remote.facts()).exists) {
      const facts = { isGit: true, intervalMinutes, remote: config['server.sync_remote'] }
      host.warn('sync_off', { reason: whySyncIsOff(facts) })
      return { _tag: 'Off' }
    }
    const beganMs = realClock.monotonicMs()
    let run = { ...runOf('manual', beganMs, { later: [], accepts: false }), attempt: 1 }
    for (;;) {
      const limitMs = Math.max(0, beganMs + convergeMsMax - realClock.monotonicMs())
      const options = { publishMode: 'push', holdMs: holdMsOf(run.attempt), limitMs, accepts: false } as const
      const outcome = await attempt(attempts, options, signal)
      run = addOutcome(run, outcome)
      const ended = endOf(run, outcome, 'push', limitMs)
      if (ended !== null) return reachedBy(ended.action, ended.detail)
      await pause(Math.random() * firstPauseMs * 2 ** run.attempt)
      run = { ...run, attempt: run.attempt + 1 }
    }
  }
}

const firstPauseMs = 50

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Counts nothing: no listener shows the metrics of a command. */
export const noMeter: Meter = {
  count: () => undefined,
  gauge: () => undefined,
  observe: () => undefined,
  remove: () => undefined,
}
