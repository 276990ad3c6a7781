import { isLeft } from 'fp-ts/lib/Either.js'
import { type PeerObservation, type PeerWatcherPorts, peerWatcher } from '#actors/fleet/peer-watcher.js'
import type { RepositorySyncMessage } from '#actors/repository-sync/state.js'
import type { Config } from '#protocol/host/config.js'
import {
  type ProbeTarget,
  type ProbeTimes,
  type RepeatedProbe,
  repeatProbe,
  type SendAttempt,
} from '#src/adapters/outbound/probe-peer.js'
import type { TownView } from '#src/domain/fleet/candidates.js'
import { type HealthSign, healthScoreAfter } from '#src/domain/fleet/fleet-state.js'
import {
  countsAfterMs,
  lateMs,
  type PeerCard,
  type PeerRecord,
  type ProbeKind,
  type ProbeResult,
  probeFailures,
  probeKinds,
  townViewOf,
} from '#src/domain/fleet/peers.js'
import type { Town } from '#src/domain/fleet/topology.js'
import type { Ref } from '#src/kernel/actor/ref.js'
import type { Kernel } from '#src/kernel/kernel.js'
import type { Child } from '#src/kernel/supervision/child.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { Meter, Publish } from '#src/ports/records.js'
import { peers } from '#supervisors/peers.js'
import type { Log, Records } from '../records/records.js'
import { convergeThrough } from '../sync/sync.js'
import type { HostPorts } from './host-clocks.js'

/** The watchers of the other towns, and what they know. */
export interface NodePeers {
  readonly table: Pick<PeerTable, 'records' | 'views' | 'healthScore' | 'watch' | 'noteReach' | 'isIsolated'>
  /** The effective time between two probes of a town. */
  readonly intervalMs: number
  /** Watches exactly these towns from now on; this host's own is not among them. */
  readonly watchTowns: (towns: ReadonlyMap<string, Town>) => void
  /** The group of the watchers, for the tree. */
  readonly child: Child
}

export interface PeersPorts {
  readonly host: HostPorts
  readonly kernel: Pick<Kernel, 'list' | 'place'>
  readonly config: Pick<Config, 'fleet.watch_interval_min'>
  readonly meter: Meter
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly records: Pick<Records, 'publish'>
  readonly sync: () => Ref<RepositorySyncMessage>
  /** Called after a probe that changed the misses of a town that does not answer. */
  readonly missed: (town: string, isAllDark: boolean) => void
  /** Called with each card that was read. */
  readonly cardRead: (card: PeerCard) => void
}

/** Makes the group of the watchers, with no town yet. Starts nothing. */
export const nodePeers = (ports: PeersPorts): NodePeers => {
  const { host, kernel, config, meter, log } = ports
  const intervalMs = config['fleet.watch_interval_min'] * minuteMs
  const table = makePeerTable(host.clock.monotonicMs, intervalMs, isIsolated => {
    if (isIsolated)
      log.warn('fleet_isolated', { mend: 'check the network of this host: kronika fleet status' })
    else log.info('fleet_isolation_ended')
  })
  let towns: ReadonlyMap<string, Town> = new Map()
  const watching = watcherPorts(ports, table, town => towns.get(town)?.url ?? null, intervalMs)
  const forgetTown = (town: string): void => {
    table.forget(town)
    removeTown(meter, town)
  }
  const list = kernel.list({
    policy: peers,
    childPolicy: {
      restart: 'permanent',
      drainMs: 500,
      restartsMax: 5,
      windowMs: 60_000,
      onGiveUp: 'abandon',
    },
    make: town => {
      const place = kernel.place(peerWatcher({ town, intervalMs }))
      const url = towns.get(town)?.url
      return place.with({
        ...watching,
        // A probe may end after its town has left the topology, or has moved.
        observed: observation => {
          if (towns.get(town)?.url === url) watching.observed(observation)
        },
      })
    },
    onAbandoned: town => {
      forgetTown(town)
      log.error('peer_watch_abandoned', { peer: town })
    },
  })
  return {
    table,
    intervalMs,
    watchTowns: next => {
      const isKept = ([name, { url }]: readonly [string, Town]): boolean => towns.get(name)?.url === url
      const kept = new Map([...next].filter(isKept))
      const left = [...towns.keys()].filter(town => !kept.has(town))
      towns = next
      for (const town of left) forgetTown(town)
      // A town with another address gets a new watcher.
      list.follow([...kept.keys()])
      list.follow([...next.keys()])
    },
    child: list.child,
  }
}

/**
 * What this host knows of the other towns, in memory: the watchers write it, rows and decisions read it without
 * any I/O (S9). A town without a record was not observed since the start.
 */
export interface PeerTable {
  readonly records: () => ReadonlyMap<string, PeerRecord>
  /**
   * The records as the rules of a takeover read them now: the age of a sync goes on since its card was read. The
   * misses count whether this host is isolated or not.
   */
  readonly views: () => ReadonlyMap<string, TownView>
  readonly set: (record: PeerRecord) => void
  /** Calls `listener` after each probe that was recorded. */
  readonly watch: (listener: () => void) => void
  readonly forget: (town: string) => void
  /** Records whether a call of the remote or the forge reached it. A forge that does not answer says nothing. */
  readonly noteReach: (place: 'remote' | 'forge', isReached: boolean) => void
  /** Whether the last probe of every town failed. */
  readonly isAllDark: () => boolean
  /**
   * Whether every town and the remote failed within a sweep, and nothing was reached since: the cause may be this
   * host, so it suspects no town.
   */
  readonly isIsolated: () => boolean
  /** A watcher began again: the misses of its town count from 0. */
  readonly restart: (town: string) => void
  /** Counts a pause of this host: it suspects no town before three fresh probes of it. */
  readonly pause: () => void
  readonly pauses: () => number
  /** The local health score, 0 to 7. */
  readonly healthScore: () => number
  readonly sign: (sign: HealthSign) => void
}

/**
 * Makes an empty table, whose ages go on by this monotonic clock; `sweepMs` is the time between two probes of a town.
 */
export const makePeerTable = (
  monotonicMs: () => number,
  sweepMs = 0,
  onIsolation: (isIsolated: boolean) => void = () => undefined,
): PeerTable => {
  const cardsReadAtMs = new WeakMap<PeerCard, number>()
  let records: ReadonlyMap<string, PeerRecord> = new Map()
  let [score, pauses] = [0, 0]
  const listeners: Array<() => void> = []
  const { look, ...isolation } = openIsolation(monotonicMs, sweepMs, onIsolation)
  const set = (record: PeerRecord): void => {
    const { card } = record
    if (card !== null && !cardsReadAtMs.has(card)) cardsReadAtMs.set(card, monotonicMs())
    records = new Map(records).set(record.town, record)
    look(records)
    for (const listener of listeners) listener()
  }
  const viewAt = (record: PeerRecord, nowMs: number): TownView => {
    const readAtMs = record.card === null ? undefined : cardsReadAtMs.get(record.card)
    return townViewOf(record, nowMs - (readAtMs ?? nowMs))
  }
  return {
    records: () => records,
    views: () => {
      const nowMs = monotonicMs()
      return new Map([...records].map(([town, record]) => [town, viewAt(record, nowMs)]))
    },
    set,
    watch: listener => void listeners.push(listener),
    forget: gone => {
      records = new Map([...records].filter(([town]) => town !== gone))
      look(records)
    },
    ...isolation,
    restart: town => {
      const record = records.get(town)
      if (record !== undefined) set({ ...record, consecutiveMisses: 0 })
    },
    pause: () => {
      pauses += 1
      score = healthScoreAfter(score, 'Paused')
      records = new Map([...records].map(([town, record]) => [town, { ...record, isSettling: true }]))
    },
    pauses: () => pauses,
    healthScore: () => score,
    sign: sign => {
      score = healthScoreAfter(score, sign)
    },
  }
}

/** Probes a town, and again while it is silent; a town without an address counts as not sent. Never rejects. */
export const probeTown = (
  { clock, probe }: Pick<HostPorts, 'clock' | 'probe'>,
  { town, url }: Pick<ProbeTarget, 'town'> & { readonly url: string | null },
  times: ProbeTimes,
  signal: AbortSignal,
): Promise<RepeatedProbe> => {
  if (url === null) return Promise.resolve({ result: { _tag: 'NotSent' }, roundTripMs: 0 })
  const send: SendAttempt = (timeoutMs, others, onAnswering) =>
    probe({ town, url, timeoutMs, onAnswering }, others)
  return repeatProbe(clock, times, send, signal)
}

/** Records each probe in the table, the metrics and the events. */
export const recordProbes =
  (recorder: ProbeRecorder) =>
  (observation: PeerObservation): void => {
    const { town, result, before, record } = observation
    const { table, meter } = recorder
    countProbe(recorder, observation)
    if (record === null) return
    table.set(record)
    if (result._tag === 'NotSent') return
    gaugeRecord(meter, record)
    tellChange(recorder, before, record)
    if (!record.isReachable && record.consecutiveMisses !== before?.consecutiveMisses)
      recorder.missed(town, table.isAllDark())
    if (result._tag === 'Answered' && result.card !== null) recorder.cardRead(result.card)
  }

/** Converges after a pause. The watchers that find the same pause share one converge and count it once. */
export const afterPause = ({
  clock,
  table,
  meter,
  log,
  converge,
}: PausePorts): PeerWatcherPorts['paused'] => {
  let running: Promise<void> | null = null
  const wait = (): Promise<void> =>
    new Promise(resolve => {
      clock.after(convergeWaitMs, resolve)
    })
  return ({ pauseMs, sleepMs }) => {
    if (running !== null) return running
    table.pause()
    meter.count('svc_fleet_pauses_total', {})
    meter.gauge('svc_fleet_local_health_score', {}, table.healthScore())
    log.warn('host_paused', { pauseMs: Math.round(pauseMs), sleepMs: Math.round(sleepMs) })
    running = Promise.race([converge(), wait()]).finally(() => {
      running = null
    })
    return running
  }
}

const minuteMs = 60_000

const convergeOnce = async ({ log, sync }: PeersPorts): Promise<void> => {
  const ended = await convergeThrough(sync(), '')()
  if (isLeft(ended)) log.info('pause_without_converge', { reason: ended.left._tag })
}

const watcherPorts = (
  ports: PeersPorts,
  table: PeerTable,
  urlOf: (town: string) => string | null,
  intervalMs: number,
): PeerWatcherPorts => ({
  clocks: () => ports.host.readClocks(table.pauses()),
  began: table.restart,
  probe: (town, onLate, signal) =>
    probeTown(
      ports.host,
      { town, url: urlOf(town) },
      { timeoutMs: countsAfterMs(intervalMs), lateMs, onLate },
      signal,
    ),
  paused: afterPause({ ...ports, clock: ports.host.clock, table, converge: () => convergeOnce(ports) }),
  observed: recordProbes({ ...ports, publish: ports.records.publish, table }),
})

/** Whether this host is isolated, as its probes and its calls show. */
const openIsolation = (
  monotonicMs: () => number,
  sweepMs: number,
  onChange: (isIsolated: boolean) => void,
) => {
  let [remoteFailedMs, darkSinceMs]: [number | null, number | null] = [null, null]
  let wasIsolated = false
  const isIsolated = (): boolean =>
    remoteFailedMs !== null && darkSinceMs !== null && remoteFailedMs >= darkSinceMs - sweepMs
  const update = (): void => {
    if (isIsolated() === wasIsolated) return
    wasIsolated = !wasIsolated
    onChange(wasIsolated)
  }
  return {
    isIsolated,
    isAllDark: (): boolean => darkSinceMs !== null,
    look: (records: ReadonlyMap<string, PeerRecord>): void => {
      const isDark = records.size > 0 && [...records.values()].every(({ isReachable }) => !isReachable)
      darkSinceMs = isDark ? (darkSinceMs ?? monotonicMs()) : null
      update()
    },
    noteReach: (place: 'remote' | 'forge', isReached: boolean): void => {
      if (isReached) remoteFailedMs = null
      else if (place === 'remote') remoteFailedMs = monotonicMs()
      update()
    },
  }
}

interface ProbeRecorder {
  readonly table: PeerTable
  readonly meter: Meter
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly publish: Publish
  /** Called after a probe that changed the misses of a town that does not answer. */
  readonly missed: (town: string, isAllDark: boolean) => void
  /** Called with each card that was read. */
  readonly cardRead: (card: PeerCard) => void
}

const labelsOf = (result: ProbeResult): { readonly kind: ProbeKind; readonly result: string } => {
  switch (result._tag) {
    case 'Answered':
      return { kind: result.kind, result: 'ok' }
    case 'Failed':
      return { kind: result.kind, result: result.why }
    case 'NotSent':
      return { kind: 'fleet-status', result: 'not_sent' }
  }
}

const townGauges = [
  'svc_fleet_peer_reachable',
  'svc_fleet_peer_consecutive_misses',
  'svc_fleet_peer_flapping',
  'svc_fleet_peer_observed_timestamp_seconds',
  'svc_fleet_peer_skew_seconds',
  'svc_fleet_peer_skew_error_seconds',
  'svc_fleet_peer_sync_age_seconds',
] as const

const gaugeRecord = (meter: Meter, record: PeerRecord): void => {
  const { town, skewMs, skewErrorMs } = record
  const { syncAgeMinutes } = townViewOf(record, 0)
  meter.gauge('svc_fleet_peer_reachable', { town }, record.isReachable ? 1 : 0)
  meter.gauge('svc_fleet_peer_consecutive_misses', { town }, record.consecutiveMisses)
  meter.gauge('svc_fleet_peer_flapping', { town }, record.isFlapping ? 1 : 0)
  meter.gauge('svc_fleet_peer_observed_timestamp_seconds', { town }, record.observedMs / 1_000)
  if (skewMs !== null) meter.gauge('svc_fleet_peer_skew_seconds', { town }, skewMs / 1_000)
  if (skewErrorMs !== null) meter.gauge('svc_fleet_peer_skew_error_seconds', { town }, skewErrorMs / 1_000)
  if (syncAgeMinutes !== null) meter.gauge('svc_fleet_peer_sync_age_seconds', { town }, syncAgeMinutes * 60)
}

/** Publishes, counts and logs what changed of a town; its first probe counts as a change of whether it answers. */
const tellChange = (
  { log, meter, publish }: ProbeRecorder,
  before: PeerRecord | null,
  record: PeerRecord,
): void => {
  const { town, isReachable, isLate, isFlapping, consecutiveMisses, failure } = record
  const beginsToFlap = isFlapping && before?.isFlapping !== true
  meter.count('svc_fleet_flappings_total', { town }, beginsToFlap ? 1 : 0)
  if (beginsToFlap) log.warn('peer_flapping', { peer: town })
  if (before?.isReachable === isReachable) return
  publish('fleet:peer', { town, reachable: isReachable, consecutiveMisses, failure })
  if (isReachable && isLate) log.warn('peer_late', { peer: town, elapsedMs: Math.round(record.elapsedMs) })
  else if (isReachable) log.info('peer_reachable', { peer: town })
  else log.warn('peer_unreachable', { peer: town, failure })
}

/** Counts a probe, once: one that is answered late was counted when it failed. */
const countProbe = ({ table, meter }: ProbeRecorder, observation: PeerObservation): void => {
  const { town, result, isLate, elapsedMs } = observation
  // The series of a town begins at 0, so that its first late answer is an increase.
  meter.count('svc_fleet_late_answers_total', { town }, isLate ? 1 : 0)
  if (result._tag === 'Answered')
    meter.observe('svc_fleet_probe_duration_seconds', { town }, elapsedMs / 1_000)
  if (isLate) return
  table.sign(result._tag)
  meter.gauge('svc_fleet_local_health_score', {}, table.healthScore())
  meter.count('svc_fleet_probes_total', { town, ...labelsOf(result) })
  if (result._tag !== 'NotSent')
    meter.count('svc_outbound_requests_total', {
      target: 'peer',
      code: result._tag === 'Answered' ? '200' : result.why,
    })
}

/** Removes every series of a town that is watched no more. */
const removeTown = (meter: Meter, town: string): void => {
  for (const name of townGauges) meter.remove(name, { town })
  meter.remove('svc_fleet_probe_duration_seconds', { town })
  meter.remove('svc_fleet_late_answers_total', { town })
  meter.remove('svc_fleet_flappings_total', { town })
  for (const kind of probeKinds)
    for (const result of ['ok', 'not_sent', ...probeFailures])
      meter.remove('svc_fleet_probes_total', { town, kind, result })
}

/** How long a probe waits for the converge after a pause; the converge itself may take longer. */
const convergeWaitMs = 20_000

interface PausePorts {
  readonly clock: Pick<KernelClock, 'after'>
  readonly table: Pick<PeerTable, 'pause' | 'healthScore'>
  readonly meter: Pick<Meter, 'count' | 'gauge'>
  readonly log: Pick<Log, 'warn'>
  /** Converges once. Never rejects. */
  readonly converge: () => Promise<void>
}
