import type { PeerObservation } from '#actors/peer-watcher.js'
import {
  type PeerCard,
  type PeerRecord,
  type ProbeKind,
  type ProbeResult,
  probeFailures,
  probeKinds,
  townViewOf,
} from '#src/domain/fleet/peers.js'
import type { Meter, Publish } from '#src/ports/records.js'
import type { Log } from '../records/log.js'
import type { PeerTable } from './peer-table.js'

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

/** Removes every series of a town that is watched no more. */
export const removeTown = (meter: Meter, town: string): void => {
  for (const name of townGauges) meter.remove(name, { town })
  meter.remove('svc_fleet_probe_duration_seconds', { town })
  meter.remove('svc_fleet_late_answers_total', { town })
  meter.remove('svc_fleet_flappings_total', { town })
  for (const kind of probeKinds)
    for (const result of ['ok', 'not_sent', ...probeFailures])
      meter.remove('svc_fleet_probes_total', { town, kind, result })
}
