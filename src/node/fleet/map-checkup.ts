import { isLeft } from 'fp-ts/lib/Either.js'
import type { Config } from '#protocol/host/config.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import { realClock } from '#src/kernel/time/clock.js'
import { hostWritePort } from '#src/node/gate/gate.js'
import type { HostNode } from '#src/node/tree/node.js'
import type {
  MapCheckup,
  MapCheckupStore,
  MeasureMaps,
  WorkloadRunner,
  WorkloadTick,
} from '#src/ports/host.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command, WritePort } from '#src/writing/command.js'
import { chooseMaps, type MeasuredMaps, measuredMaps } from '#src/writing/map-dimensions.js'

export const nodeMapCheckup = (config: Config, node: () => HostNode): WorkloadRunner =>
  mapCheckup(checkupRules(config), () => checkupPorts(node()))

/** What a tick of the map checkup asks of its host. */
export interface CheckupPorts {
  readonly store: MapCheckupStore
  /** Null before the first. */
  readonly snapshot: () => Snapshot | null
  /** Whether the gate would accept a write now: a host that cannot keep a size asks no server for it. */
  readonly mayWrite: () => boolean
  readonly measure: MeasureMaps
  readonly write: WritePort
  readonly nowMs: () => number
  readonly log: Pick<HostNode['log'], 'info' | 'warn'>
}

export interface CheckupRules extends CheckupTimes {
  readonly mapsMax: number
  readonly tickMaxMs: number
  readonly timeoutMs: number
  /** Whether any host of pictures is listed. */
  readonly hasHosts: boolean
}

/**
 * Measures the maps that have no size, a slice of the catalogue in each tick, in one commit a tick. A sweep begins an
 * interval after the last has ended; its cursor is on disk, so a restart goes on where it was.
 */
export const mapCheckup = (rules: CheckupRules, ports: () => CheckupPorts): WorkloadRunner => ({
  intervalMs: tickMs,
  budgetMs: rules.tickMaxMs + rules.timeoutMs + commitMs,
  run: (tick, signal) => runTick(rules, ports(), tick, signal),
})

export interface CheckupTimes {
  /** From the end of a sweep to the begin of the next. */
  readonly intervalMs: number
  /** The rest after a tick whose last request failed, or that could not commit. */
  readonly cooldownMs: number
}

/** The end of a tick. `Lost`: what it measured could not be committed. */
export type CheckupTick =
  | ({ readonly _tag: 'Went'; readonly budgetExhausted: boolean } & Omit<MapCheckup, 'dueMs'>)
  | { readonly _tag: 'Lost' }

/** Whether a tick has work. A due time beyond an interval is of a clock that was set back since. */
export const isCheckupDue = (
  { dueMs }: MapCheckup,
  { intervalMs, cooldownMs }: CheckupTimes,
  nowMs: number,
): boolean => nowMs >= dueMs || dueMs - nowMs > Math.max(intervalMs, cooldownMs)

/**
 * The state after a tick. A sweep ends with the catalogue, or when its failure budget is spent; the next then goes on
 * behind the maps that spent it, so that they cannot keep it from the others for ever.
 */
export const afterCheckup = (
  state: MapCheckup,
  tick: CheckupTick,
  { intervalMs, cooldownMs }: CheckupTimes,
  nowMs: number,
): MapCheckup => {
  if (tick._tag === 'Lost') return { ...state, dueMs: nowMs + cooldownMs }
  const { cursor, failures, budgetExhausted } = tick
  if (budgetExhausted || cursor === 0) return { cursor, failures: 0, dueMs: nowMs + intervalMs }
  return { cursor, failures, dueMs: failures > 0 ? nowMs + cooldownMs : nowMs }
}

/** Between two ticks; each goes on with the sweep, or finds that none is due. */
const tickMs = 10_000
/** What the commit of a tick may take. */
const commitMs = 10_000

const first: MapCheckup = { cursor: 0, failures: 0, dueMs: 0 }

const runTick = async (
  rules: CheckupRules,
  ports: CheckupPorts,
  tick: WorkloadTick,
  signal: AbortSignal,
): Promise<void> => {
  const state = ports.store.find() ?? first
  const snapshot = ports.snapshot()
  const isIdle = !rules.hasHosts || snapshot === null || !isCheckupDue(state, rules, ports.nowMs())
  if (isIdle || !ports.mayWrite()) return
  const { cursor, failures } = state
  const chosen = chooseMaps(snapshot, { _tag: 'Slice', cursor, mapsMax: rules.mapsMax })
  const limits = { maxMs: rules.tickMaxMs, failures, signal, isWanted: () => true }
  const ran = await ports.measure(chosen.targets, limits)
  // While a caller measures maps the sweep waits; one that was stopped begins its slice again.
  if (isLeft(ran) || signal.aborted) return
  const measured = measuredMaps(chosen, ran.right)
  const lost = await commitSizes(ports, tick, measured)
  const { budgetExhausted } = measured
  const went = {
    _tag: 'Went',
    cursor: measured.cursor,
    failures: ran.right.failures,
    budgetExhausted,
  } as const
  if (lost === null) {
    const fields = {
      measured: measured.sizes.length,
      failed: measured.failed.length,
      cursor: measured.cursor,
    }
    ports.log.info('map_checkup_ticked', { ...fields, budgetExhausted })
  } else ports.log.warn('map_checkup_lost', { reason: lost, sizes: measured.sizes.length })
  ports.store.keep(afterCheckup(state, lost === null ? went : { _tag: 'Lost' }, rules, ports.nowMs()))
}

/** Commits what a tick measured. Returns why nothing was committed; null where it was, or where there is nothing. */
const commitSizes = async (
  { write }: Pick<CheckupPorts, 'write'>,
  tick: WorkloadTick,
  measured: MeasuredMaps,
): Promise<string | null> => {
  if (measured.sizes.length === 0) return null
  const whyNot = tick.whyNoPush()
  if (whyNot !== null) return whyNot
  const written = await write(sizesCommand(measured))
  return isLeft(written) ? written.left._tag : null
}

const sizesCommand = (prepared: MeasuredMaps): Command => ({
  actor: { name: 'map_checkup', gracz: null, kind: 'machine' },
  route: 'POST /maps/dimensions',
  row: 'maps.dimensions.set',
  asker: { _tag: 'Host' },
  grade: 'full',
  path: {},
  query: {},
  body: {},
  prepared,
  dryRun: false,
  wants: null,
})

const checkupRules = (config: Config): CheckupRules => ({
  intervalMs: config['integrations.game.map_checkup.interval_hours'] * 3_600_000,
  cooldownMs: config['integrations.game.map_checkup.retry_cooldown_ms'],
  mapsMax: config['integrations.game.map_checkup.batch_size'],
  tickMaxMs: config['integrations.game.map_checkup.tick_budget_ms'],
  timeoutMs: config['integrations.game.map_checkup.timeout_ms'],
  hasHosts: config['integrations.game.map_hosts'].length > 0,
})

const checkupPorts = (node: HostNode): CheckupPorts => ({
  store: node.checkout.runtime.mapCheckup,
  snapshot: node.snapshot,
  mayWrite: () => gateRefusal(node.gate(), false) === null,
  measure: node.measureMaps,
  write: hostWritePort(node),
  nowMs: realClock.nowMs,
  log: node.log,
})
