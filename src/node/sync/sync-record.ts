import type { Loaded } from '#actors/corpus-keeper/load.js'
import type { SyncPorts } from '#actors/repository-sync/repository-sync.js'
import type { EndedConverge, Incoming } from '#actors/repository-sync/state.js'
import { instantOf } from '#protocol/atoms.js'
import { type ConvergeFailure, isConverged, type SyncAction } from '#protocol/host/sync.js'
import type { ConvergeLint, LintFinding } from '#protocol/lore/places.js'
import type { FleetState } from '#src/domain/fleet/fleet-state.js'
import { buildLintRecord, lintFindingOf } from '#src/domain/lint/claim-lint.js'
import { foreignChanges, type RobotChange } from '#src/domain/lint/robot-files.js'
import { batchReadingFindings } from '#src/domain/points/batches.js'
import { closedReadingFindings, formerSessionsInSlices } from '#src/domain/sessions/former-sessions.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import type { Meter, Publish } from '#src/ports/records.js'
import type { Cell } from '#src/snapshot/cell.js'
import type { Log } from '../records/records.js'

export interface ConcludePorts {
  readonly held: Cell<Loaded>
  readonly fleet: () => Pick<FleetState, 'findings'>
  readonly lint: Cell<ConvergeLint>
  readonly meter: Meter
  /** Times a step, for the metric. */
  readonly timed: <A>(step: 'lint', work: () => Promise<A>) => Promise<A>
  readonly log: Log
  readonly publish: Publish
  readonly nowMs: () => number
  readonly breathe: () => Promise<void>
  readonly save: (record: ConvergeLint) => void
  /** Stores how the converge failed, for `doctor`; null where it succeeded. */
  readonly saveFailure: (failure: ConvergeFailure | null) => void
  readonly changes: (range: Incoming, signal: AbortSignal) => Promise<ReadonlyArray<RobotChange>>
}

/**
 * Counts, publishes and records every converge. A record that fails is logged; the next converge records
 * again.
 */
export const recordConverges =
  (ports: ConcludePorts): SyncPorts['concluded'] =>
  async (ended, signal) => {
    count(ports, ended)
    tell(ports, ended)
    recordFailure(ports, ended)
    if (isConverged(ended.action)) ports.meter.gauge('svc_sync_behind_commits', {}, 0)
    else if (historyReasons[ended.action] === undefined) return
    try {
      await ports.timed('lint', () => record(ports, ended, signal))
    } catch (error) {
      ports.log.warn('lint_unrecorded', { reason: error instanceof Error ? error.message : String(error) })
    }
  }

const foreignKind = 'obca-zmiana-pliku-robota'

const unaccepted =
  'nic nie jest scalane ani publikowane, dopóki człowiek nie zdecyduje (kronika accept-rewrite).'

/** Why a converge stopped before what a person took out of the history could come back. */
const historyReasons: Readonly<Partial<Record<SyncAction, string>>> = {
  history_rewritten: `Zdalne repozytorium nie ma już historii, którą ten host tam widział; ${unaccepted}`,
  history_purged: `Commity przyniosłyby z powrotem to, co usunięto z historii; ${unaccepted}`,
}

const ofHistory = ({ action }: EndedConverge): ReadonlyArray<LintFinding> => {
  const reason = historyReasons[action]
  return reason === undefined
    ? []
    : [{ kind: 'przepisana-historia', severity: 'error', entity: null, reason, files: [] }]
}

/** Findings of what came in. Where nothing came in, those of the last time are kept. */
const foreignOf = async (
  ports: ConcludePorts,
  incoming: ReadonlyArray<Incoming>,
  signal: AbortSignal,
): Promise<ReadonlyArray<LintFinding>> => {
  if (incoming.length === 0)
    return (ports.lint.get()?.findings ?? []).filter(finding => finding.kind === foreignKind)
  const changes = new Map<string, RobotChange>()
  for (const range of incoming)
    for (const change of await ports.changes(range, signal)) changes.set(change.commit, change)
  return foreignChanges([...changes.values()])
}

/** Runs the lint over what is served now and stores it (D35). */
const record = async (ports: ConcludePorts, ended: EndedConverge, signal: AbortSignal): Promise<void> => {
  const loaded = ports.held.get()
  if (loaded === null) return
  const foreign = await foreignOf(ports, ended.run.incoming, signal)
  const sha = loaded.loreHead.commit
  const { snapshot } = loaded.build
  await runWithPauses(formerSessionsInSlices(snapshot), ports.breathe)
  const settled = [...closedReadingFindings(snapshot), ...batchReadingFindings(snapshot)]
  const besides = [
    ...ofHistory(ended),
    ...foreign,
    ...[...ports.fleet().findings, ...settled].map(lintFindingOf),
  ]
  const work = buildLintRecord(snapshot, besides, instantOf(ports.nowMs()), sha)
  const lint = await runWithPauses(work, ports.breathe)
  ports.save(lint)
  ports.lint.set(lint)
  ports.publish('lint:recorded', { sha, errors: lint.stats.errors, warnings: lint.stats.warnings })
}

const count = ({ meter }: ConcludePorts, { run, action }: EndedConverge): void => {
  meter.count('svc_sync_runs_total', { trigger: run.trigger, result: action })
  meter.observe('svc_sync_attempts', {}, run.attempt)
  meter.count('svc_sync_conflicts_total', { outcome: 'parked' }, run.parked.length)
  meter.count('svc_sync_conflicts_total', { outcome: 'resolved' }, run.resolved)
}

const tell = ({ publish, log }: ConcludePorts, { run, action, detail, head, sent }: EndedConverge): void => {
  for (const { ref, commit, files, reason } of run.parked) {
    publish('sync:parked', { ref, commit, files, reason })
    log.warn('sync_parked', { ref, commit, files })
  }
  if (!isConverged(action)) {
    publish('sync:failed', { action, detail: detail ?? '' })
    log.warn('sync_failed', { action, reason: detail })
    return
  }
  if (run.received > 0) log.info('pulled', { commits: run.received, merged: run.merged, commit: head })
  if (sent > 0) log.info('pushed', { commits: sent, commit: head })
  if (run.received > 0 || sent > 0)
    publish('sync:converged', { action, commit: head, incoming: run.received, outgoing: sent })
}

const recordFailure = (
  { log, nowMs, saveFailure }: ConcludePorts,
  { action, detail }: EndedConverge,
): void => {
  try {
    saveFailure(isConverged(action) ? null : { at: instantOf(nowMs()), action, detail })
  } catch (error) {
    log.warn('converge_unrecorded', { reason: error instanceof Error ? error.message : String(error) })
  }
}
