import type { CommitId } from '#protocol/atoms.js'
import type { ObeyedTopology } from '#protocol/fleet/peers.js'
import {
  type FleetState,
  firstFleetState,
  fleetStateOf,
  type TopologyVersion,
} from '#src/domain/fleet/fleet-state.js'
import type { FleetRole } from '#src/domain/fleet/role.js'
import { openWorkQueue } from '#src/kernel/time/work-queue.js'
import type { Log } from '#src/node/records/log.js'
import type { FleetBranch } from '#src/ports/git.js'
import type { ObeyedTopologyStore } from '#src/ports/host.js'
import type { Meter, Publish } from '#src/ports/records.js'
import type { FollowRole } from './follow-role.js'
import { absentTopology, type ReadTopology, unfetchedTopology } from './read-topology.js'

export interface FleetWatchSetup {
  readonly town: string
  /** Null on a plain directory, which is in no fleet. */
  readonly branch: Pick<FleetBranch, 'tip'> | null
  readonly read: ReadTopology
  /** Whether this host fetches from its remote, if it has one. */
  readonly fetches: boolean
  readonly store: ObeyedTopologyStore
  readonly follow: FollowRole
  readonly meter: Meter
  readonly publish: Publish
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** The fleet state of a node, and what updates it. The updates never reject: a failed one keeps the state. */
export interface FleetWatch {
  readonly state: () => FleetState
  /** Reads the topology where this checkout has it now: at its fetched branch, or at HEAD without a remote. */
  readonly readTip: () => Promise<void>
  /** Reads the topology after a fetch or push; null: the remote has no such branch. */
  readonly readPublished: (tip: CommitId | null) => Promise<void>
  /**
   * Reads the topology where the served commit has another blob of it and HEAD counts, or where none was read
   * yet; null: the commit has none.
   */
  readonly onHeadMoved: (blob: string | null) => void
  /** Records that this boot has finished a converge. */
  readonly onConverged: () => void
}

const roles: ReadonlyArray<FleetRole> = ['alone', 'primary', 'stepping-down', 'replica', 'lost']

/** The text of a finding is Polish, and the log is English. */
const findingMend = 'kronika doctor and GET /claims/lint say what is wrong'

const isSameObeyed = (a: ObeyedTopology | null, b: ObeyedTopology | null): boolean =>
  a?.apex === b?.apex && a?.term === b?.term && a?.termBefore === b?.termBefore

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Records a change of the state, for the next start, the metrics, the log and the events. */
const recordChange = (
  { store, meter, publish, log, town, fetches }: FleetWatchSetup,
  version: TopologyVersion,
  before: FleetState,
  after: FleetState,
  isFirst: boolean,
): void => {
  for (const role of roles) meter.gauge('svc_fleet_role', { role }, after.role === role ? 1 : 0)
  if (after.obeyed !== null && !isSameObeyed(before.obeyed, after.obeyed))
    try {
      store.keep(after.obeyed)
    } catch (error) {
      log.warn('fleet_unrecorded', { reason: textOf(error) })
    }
  if (before.fence !== null && after.fence !== null && before.fence.blob !== after.fence.blob)
    meter.count('svc_fleet_topology_changes_total', {})
  for (const { kind, file, subject } of after.findings)
    if (!before.findings.some(known => known.kind === kind && known.subject === subject))
      log.warn('fleet_finding', { kind, file, subject, mend: findingMend })
  const { apex = null, term = null } = after.topology ?? {}
  // Before the first fetch the host is ReadOnly, and does not know yet whether there is a fleet.
  const isKnown = version.source._tag !== 'NotFetched' || !fetches
  if (isKnown && (isFirst ? after.role !== 'alone' : before.role !== after.role))
    log.info('fleet_role', { role: after.role, apex, term })
  if (!isFirst && before.role !== after.role)
    publish('fleet:role', { town, role: after.role, before: before.role, apex, term })
}

interface Reading {
  readonly version: TopologyVersion
  /** Whether HEAD counts: then there is no converge to wait for. */
  readonly isHead: boolean
}

/** Reads the topology where the checkout has it. A host that never fetches reads HEAD only to find no fleet. */
const readTipOf = async ({ branch, read, fetches }: FleetWatchSetup): Promise<Reading> => {
  if (branch === null) return { version: absentTopology, isHead: true }
  const tip = await branch.tip()
  switch (tip._tag) {
    case 'Fetched':
      return { version: await read(tip.commit), isHead: false }
    case 'Head':
      return { version: tip.commit === null ? absentTopology : await read(tip.commit), isHead: true }
    case 'NotFetched': {
      if (fetches) return { version: unfetchedTopology, isHead: false }
      const version = tip.head === null ? absentTopology : await read(tip.head)
      return { version: version.source._tag === 'Absent' ? version : unfetchedTopology, isHead: false }
    }
  }
}

/** Opens the fleet state of a node: that of `runtime.db` and the town, until the topology is read. */
export const openFleetWatch = (setup: FleetWatchSetup): FleetWatch => {
  const { log, follow, read } = setup
  let state = firstFleetState(setup.town, setup.store.find())
  let isRead = false
  let headCounts = false
  let isTipRead = false
  const inTurn = openWorkQueue()
  const apply = ({ version, isHead }: Reading): void => {
    const before = state
    const isFirst = !isRead
    headCounts = isHead
    isRead = isRead || version.source._tag !== 'NotFetched'
    state = fleetStateOf(version, { ...before, hasConverged: before.hasConverged || isHead })
    recordChange(setup, version, before, state, isFirst)
    follow(state, !isFirst && before.role !== state.role)
  }
  const update = (reading: () => Promise<Reading>): Promise<void> =>
    inTurn(async () => {
      try {
        apply(await reading())
      } catch (error) {
        log.warn('fleet_unread', { reason: textOf(error) })
      }
    })
  const readTip = (): Promise<void> => {
    isTipRead = true
    return update(() => readTipOf(setup))
  }
  return {
    state: () => state,
    readTip,
    readPublished: tip =>
      update(async () => ({ version: tip === null ? absentTopology : await read(tip), isHead: false })),
    onHeadMoved: blob => {
      const isOther = headCounts && blob !== (state.fence?.blob ?? null)
      if (!isTipRead || isOther) void readTip()
    },
    onConverged: () => {
      if (state.hasConverged) return
      state = { ...state, hasConverged: true }
      follow(state, false)
    },
  }
}
