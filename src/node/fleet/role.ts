import { decodeFile } from '#actors/corpus-keeper/read-entries.js'
import type { ModeCell } from '#actors/write-gate/mode.js'
import { BlobId, type CommitId } from '#protocol/atoms.js'
import type { ObeyedTopology } from '#protocol/fleet/peers.js'
import type { Mode } from '#protocol/host/discovery.js'
import type { SyncAction } from '#protocol/host/sync.js'
import {
  type FleetState,
  firstFleetState,
  fleetStateOf,
  modeOfFleet,
  type TopologyVersion,
} from '#src/domain/fleet/fleet-state.js'
import type { FleetRole } from '#src/domain/fleet/role.js'
import { topologyBytesMax, topologyPath } from '#src/domain/fleet/topology.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { openWorkQueue } from '#src/kernel/time/work-queue.js'
import type { Log } from '#src/node/records/records.js'
import {
  type FleetBranch,
  type KnownChange,
  LostObject,
  type Remote,
  type TreeSource,
} from '#src/ports/git.js'
import type { ObeyedTopologyStore } from '#src/ports/host.js'
import type { Meter, Publish } from '#src/ports/records.js'
import type { PeerTable } from './peers.js'

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

/** Opens the fleet state of a node: that of `runtime.db` and the town, until the topology is read. */
export const openFleetWatch = (setup: FleetWatchSources): FleetWatch => {
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

/** The mode that a state asks for, with the reason where that is ReadOnly. */
export const modeStateOf = (state: FleetState): ReturnType<ModeCell['get']> => {
  const mode = modeOfFleet(state)
  return { mode, detail: mode === 'ReadOnly' ? whyReadOnly(state) : null }
}

/** The part of the mode that follows the role. */
export interface RoleMode {
  readonly follow: FollowRole
  /**
   * Called in a turn of the gate after `follow` changed the mode: a change of the role overrides a mode that was set
   * in an earlier turn. Returns the mode to report; null where it was reported, or another one stands.
   */
  readonly settle: () => ModeState | null
}

/**
 * Makes the mode of a host follow its role (D29, D47). A change of the role always sets the mode, except on a gate
 * that the disk closed. Between two changes the mode is only set where nothing but the role has set it before; so an
 * override of a person, or of the configuration (`isSetByRole` false), stays. The mode is set at once, and
 * `changed` asks the gate for the turn in which it is settled.
 */
export const followRole = (
  mode: ModeCell,
  isSetByRole: boolean,
  changed: () => void = () => undefined,
): RoleMode => {
  let own = isSetByRole ? mode.get() : null
  let pending: { readonly isRoleChange: boolean } | null = null
  return {
    follow: (state, isRoleChange) => {
      const now = mode.get()
      const isOwn = now === own
      if ((!isOwn && isClosedByFault(now)) || (!isOwn && !isRoleChange)) return
      const next = modeStateOf(state)
      own = isOwn && now.mode === next.mode && now.detail === next.detail ? now : next
      mode.set(own)
      if (now.mode === next.mode) return
      pending = { isRoleChange: isRoleChange || pending?.isRoleChange === true }
      changed()
    },
    settle: () => {
      const [settled, isRoleChange] = [own, pending?.isRoleChange]
      pending = null
      if (settled === null || isRoleChange === undefined) return null
      const now = mode.get()
      if (now === settled) return settled
      if (isClosedByFault(now) || !isRoleChange) return null
      mode.set(settled)
      return settled
    },
  }
}

/** Reads the version of `.svc/fleet.json` at a commit. Rejects where git cannot read the commit. */
export type ReadTopology = (commit: CommitId) => Promise<TopologyVersion>

/** Returns a `ReadTopology` that remembers the last answer about the history. */
export const topologyReader = (
  source: Pick<TreeSource, 'listAt' | 'read'>,
  branch: Pick<FleetBranch, 'lastChange'>,
): ReadTopology => {
  let known: KnownChange | null = null
  return async commit => {
    const file = await readFile(source, commit)
    if (file === null) return absentTopology
    const changed = await branch.lastChange(commit, topologyPath, known)
    known = changed === null ? null : { tip: commit, changed }
    return {
      source: { _tag: 'File', file },
      fence: changed === null ? null : { commit: changed, blob: file.blob },
    }
  }
}

/**
 * A remote after whose fetches and pushes the fleet state is read, before the converge goes on: a flip is obeyed
 * as soon as it is fetched. `noteReach` hears whether each fetch reached the remote.
 */
export const tellFleet = (
  remote: Remote,
  { readPublished }: Pick<FleetWatch, 'readPublished'>,
  noteReach: PeerTable['noteReach'],
): Remote => ({
  ...remote,
  fetch: async signal => {
    const fetched = await remote.fetch(signal)
    if (fetched._tag === 'Fetched' || !unsaying.has(fetched.action))
      noteReach('remote', fetched._tag === 'Fetched' || !unreached.has(fetched.action))
    if (fetched._tag === 'Fetched') await readPublished(fetched.remote)
    return fetched
  },
  push: async (branch, commit, signal) => {
    const pushed = await remote.push(branch, commit, signal)
    if (pushed._tag === 'Pushed') await readPublished(commit)
    return pushed
  },
})

/** The refusal of writes on a plain directory; no request to the daemon can open its gate. */
export const noGitDetail =
  'The directory is not a git repository: run `git init`, commit the lore and restart the daemon.'

/** The mode of a host: initially by the configuration, until the gate or the role sets another (D29). */
export const modeCell = (
  first: Mode,
  detail: string | null = null,
  changed: (state: ModeState) => void = () => undefined,
): ModeCell => {
  let state: ModeState = { mode: first, detail }
  return {
    get: () => state,
    set: next => {
      const { mode } = state
      state = next
      if (mode !== next.mode) changed(next)
    },
  }
}

const byHand = 'the mode is ReadOnly'

const openAgain = 'POST /admin/mode with "read-write"'

/** Logs that the gate closed, with the reason, or that it opened again. */
export const tellMode =
  (log: Pick<Log, 'info' | 'warn'>) =>
  ({ mode, detail }: ModeState): void => {
    if (mode === 'ReadWrite') log.info('writes_open')
    else if (detail === null) log.warn('writes_refused', { reason: byHand, mend: openAgain })
    else log.warn('writes_refused', { reason: detail })
  }

interface FleetWatchSources {
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

const roles: ReadonlyArray<FleetRole> = ['alone', 'primary', 'stepping-down', 'replica', 'lost']

/** The text of a finding is Polish, and the log is English. */
const findingMend = 'kronika doctor and GET /claims/lint say what is wrong'

const isSameObeyed = (a: ObeyedTopology | null, b: ObeyedTopology | null): boolean =>
  a?.apex === b?.apex && a?.term === b?.term && a?.termBefore === b?.termBefore

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Records a change of the state, for the next start, the metrics, the log and the events. */
const recordChange = (
  { store, meter, publish, log, town, fetches }: FleetWatchSources,
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
const readTipOf = async ({ branch, read, fetches }: FleetWatchSources): Promise<Reading> => {
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

const override = 'POST /admin/mode overrides this until the role changes.'

const whyReadOnly = ({ role, topology, town, findings }: FleetState): string => {
  if (role === 'lost') {
    const kind = findings[0]?.kind ?? 'FleetUnreadable'
    const remedy =
      kind === 'TownNotListed'
        ? 'Start the host with --town and a town of the file, or add its town there and publish it.'
        : 'Fix the file and publish it.'
    return `.svc/fleet.json gives this host no role (${kind}). ${remedy} ${override}`
  }
  if (topology === null)
    return 'This host has not fetched .svc/fleet.json since its first start. GET /sync shows why.'
  if (role === 'replica') {
    const { apex, towns } = topology
    const address = towns.get(apex)?.url ?? 'the address in .svc/fleet.json'
    return `This host is a replica of the fleet. Send the write to the apex, ${apex}, at ${address}.`
  }
  return `${town} leads the fleet and takes writes after its first converge of this start. Write again after that.`
}

/** Sets the mode after the state changed; `isRoleChange` is false for the first role of a start. */
type FollowRole = (state: FleetState, isRoleChange: boolean) => void

type ModeState = ReturnType<ModeCell['get']>

const isClosedByFault = ({ mode, detail }: ModeState): boolean => mode === 'ReadOnly' && detail !== null

const absentTopology: TopologyVersion = { source: { _tag: 'Absent' }, fence: null }

const unfetchedTopology: TopologyVersion = { source: { _tag: 'NotFetched' }, fence: null }

const noBlob = BlobId.decode('0'.repeat(40))

/** A file that is there and cannot be read: a link, a folder, too many bytes, or a lost object. */
const unreadFile = (blob: BlobId | null): SourceFile => {
  if (noBlob._tag === 'Left') throw new Error('no blob id')
  return { path: topologyPath, blob: blob ?? noBlob.right, text: '', undecodable: false, unread: true }
}

const readFile = async (
  source: Pick<TreeSource, 'listAt' | 'read'>,
  commit: CommitId,
): Promise<SourceFile | null> => {
  const { entries, skipped } = await source.listAt({ commit, id: commit }, [topologyPath])
  const entry = entries.find(({ path }) => path === topologyPath)
  if (entry === undefined) return skipped.length === 0 ? null : unreadFile(null)
  if (entry.bytes > topologyBytesMax) return unreadFile(entry.blob)
  try {
    const bytes = await source.read(entry)
    return bytes === null || bytes.length > topologyBytesMax
      ? unreadFile(entry.blob)
      : decodeFile(entry, bytes)
  } catch (error) {
    if (error instanceof LostObject) return unreadFile(entry.blob)
    throw error
  }
}

/** The failures that say nothing of whether the remote was reached. */
const unsaying: ReadonlySet<SyncAction> = new Set(['failed', 'transport_refused'])

const unreached: ReadonlySet<SyncAction> = new Set(['unreachable', 'timeout'])
