import { isLeft } from 'fp-ts/lib/Either.js'
import type { ObeyedTopology } from '#protocol/fleet/peers.js'
import type { ScheduleOwner } from '#protocol/host/config.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { PeerCard } from './peers.js'
import { readTopology, type Topology, topologyPath, unusableRows } from './topology.js'

/**
 * `.svc/fleet.json` at the last fetched commit; at HEAD on a host without a remote (S1). `NotFetched`: the host
 * has a remote and has fetched nothing from it yet.
 */
export type TopologySource =
  | { readonly _tag: 'NotFetched' }
  | { readonly _tag: 'Absent' }
  | { readonly _tag: 'File'; readonly file: SourceFile }

/**
 * The role of a host. `alone`: it is in no fleet. `lost`: a topology was obeyed or is there, and gives this host
 * no role.
 */
export type FleetRole = 'alone' | 'primary' | 'stepping-down' | 'replica' | 'lost'

/** The findings that depend on the host, its town and what it obeyed before. */
export const hostFleetKinds: ReadonlySet<string> = new Set(['FleetGone', 'TownNotListed', 'TermNotRaised'])

/** What is wrong with the file itself, whichever host reads it. */
export const findingsOfTopology = (source: TopologySource): ReadonlyArray<Finding> => {
  if (source._tag !== 'File') return []
  const read = readTopology(source.file)
  if (isLeft(read)) return [unreadable(read.left)]
  return unusableRows(source.file, read.right).map(({ town, why, remedy }) =>
    findingOf('TownUnusable', town, `Miasto ${town} w pliku floty ${why}.`, remedy),
  )
}

/** What this host obeys from now on. An edit that is no flip leaves the term that the last flip had to raise. */
export const obeyTopology = (
  { apex, term }: Pick<Topology, 'apex' | 'term'>,
  obeyed: ObeyedTopology | null,
): ObeyedTopology => {
  if (obeyed === null) return { apex, term, termBefore: null }
  return { apex, term, termBefore: obeyed.apex === apex ? obeyed.termBefore : obeyed.term }
}

/**
 * Decides the role of a host. Nothing but the topology of the last fetched commit, what was obeyed before, and
 * the name of this host has a part in it (S1, D47).
 */
export const decideRole = (input: RoleInput): RoleDecision => {
  const { town, source, obeyed } = input
  if (source._tag === 'NotFetched')
    return { role: town === '' && obeyed === null ? 'alone' : 'replica', topology: null, findings: [] }
  if (source._tag === 'Absent') {
    if (obeyed === null) return { role: 'alone', topology: null, findings: [] }
    const reason = `Nie ma pliku floty, a ten host już działał według niego (miasto ${obeyed.apex} na czele).`
    return loseRole(null, findingOf('FleetGone', null, reason, restore))
  }
  const read = readTopology(source.file)
  if (isLeft(read)) return loseRole(null, unreadable(read.left))
  const decision = decideIn(read.right, input)
  return { ...decision, findings: [...decision.findings, ...findingsOfTopology(source)] }
}

/** The role on the status card: empty off the fleet. A host that lost its place shows that it is no apex. */
export const cardRoleOf = (role: FleetRole): 'primary' | 'stepping-down' | 'replica' | '' => {
  if (role === 'alone') return ''
  return role === 'lost' ? 'replica' : role
}

/** Whether the topology names this host as its apex. */
export const isApexRole = (role: FleetRole | ''): boolean => role === 'primary' || role === 'stepping-down'

/** Whether the town of a card says that it is the apex, which this topology says of another one. */
export const namesOtherApex = (
  { town, role }: Pick<PeerCard, 'town' | 'role'>,
  topology: Pick<Topology, 'apex'> | null,
): boolean => topology !== null && topology.apex !== town && isApexRole(role)

/**
 * The mode that follows from the role (D29, D47). A fleet host is ReadOnly until its first converge of this
 * boot, so an apex that comes back does no harm before it has looked.
 */
export const modeOfRole = (role: FleetRole, hasConverged: boolean): 'ReadWrite' | 'ReadOnly' =>
  role === 'alone' || (isApexRole(role) && hasConverged) ? 'ReadWrite' : 'ReadOnly'

/**
 * Names one version of the topology: the commit that last changed its file on the fetched branch, and the
 * file's blob (D46). A blob alone comes back when towns flip there and back.
 */
export interface TopologyFence {
  readonly commit: string
  readonly blob: string
}

/** Whether the topology is still the version that work began with. */
export const isSameFence = (a: TopologyFence, b: TopologyFence): boolean =>
  a.commit === b.commit && a.blob === b.blob

/** The branch of the takeover that follows a version of the topology: its term and the start of its blob. */
export const takeoverBranch = (term: number, { blob }: TopologyFence): string =>
  `fleet/takeover/${term}-${blob.slice(0, 12)}`

/** Why a tick does nothing. */
export type IdleReason = 'not_owner' | 'not_apex' | 'not_converged' | 'sync_stale'

/**
 * Why this host may not do the work of a tick; null where it has the duty. Asked before the plan and, with the
 * fence, before the push (D47). A host that is alone has every duty that the fleet owns.
 */
export const whyNoDuty = ({
  role,
  hasConverged,
  syncAgeMs,
  syncMaxAgeMs,
  owner,
}: DutyInput): IdleReason | null => {
  if (owner !== 'fleet') return 'not_owner'
  if (role === 'alone') return null
  if (!isApexRole(role)) return 'not_apex'
  if (!hasConverged) return 'not_converged'
  return syncAgeMs === null || syncAgeMs > syncMaxAgeMs ? 'sync_stale' : null
}

/** What decides, at one moment, whether the work of a tick is this host's. */
export interface DutyView {
  /** Null where the host has the duty. */
  readonly whyNot: IdleReason | null
  /** The version of the topology that gives the duty; null where there is no file. */
  readonly fence: TopologyFence | null
}

/**
 * Why a host may not push what it planned under `planned`; null where it may. A host that lost the duty and has it
 * again plans again, because another host may have done the work between.
 */
export const whyNoPush = (planned: DutyView, now: DutyView): NoPushReason | null => {
  if (now.whyNot !== null) return now.whyNot
  const [before, after] = [planned.fence, now.fence]
  const isSame = before === null || after === null ? before === after : isSameFence(before, after)
  return isSame ? null : 'topology_changed'
}

interface RoleInput {
  /** The town of this host; empty where it was started without one. */
  readonly town: string
  readonly source: TopologySource
  /** Null where this host never obeyed a topology. */
  readonly obeyed: ObeyedTopology | null
}

interface RoleDecision {
  readonly role: FleetRole
  /** Null where none can be read. */
  readonly topology: Topology | null
  readonly findings: ReadonlyArray<Finding>
}

const findingOf = (
  kind: 'FleetUnreadable' | 'FleetGone' | 'TownNotListed' | 'TermNotRaised' | 'TownUnusable',
  subject: string | null,
  reason: string,
  suggestion: string,
): Finding => ({
  kind,
  severity: kind === 'TermNotRaised' || kind === 'TownUnusable' ? 'warning' : 'error',
  file: topologyPath,
  line: null,
  subject,
  reason,
  suggestion,
})

const restore = 'Przywróć poprzednią wersję pliku; do tego czasu ten host niczego nie zapisuje.'

const unreadable = (why: string): Finding => findingOf('FleetUnreadable', null, `Plik floty ${why}.`, restore)

const loseRole = (topology: Topology | null, finding: Finding): RoleDecision => ({
  role: 'lost',
  topology,
  findings: [finding],
})

/**
 * The flips that did not raise the term are obeyed, and reported until an edit raises it: a fence that only
 * counts would miss them.
 */
const flipFindings = (topology: Topology, obeyed: ObeyedTopology | null): ReadonlyArray<Finding> => {
  const { apex, term, termBefore } = obeyTopology(topology, obeyed)
  if (termBefore === null || term > termBefore) return []
  const reason = `Zmiana pola „apex” na ${apex} nie podniosła pola „term”: było ${termBefore}, jest ${term}.`
  return [findingOf('TermNotRaised', apex, reason, `Ustaw „term” na ${termBefore + 1} albo więcej.`)]
}

const decideIn = (topology: Topology, { town, obeyed }: RoleInput): RoleDecision => {
  const own = topology.towns.get(town)
  if (own === undefined) {
    const host = town === '' ? 'Ten host, uruchomiony bez „--town”,' : `Host ${town}`
    return loseRole(
      topology,
      findingOf(
        'TownNotListed',
        town === '' ? null : town,
        `${host} nie jest wymieniony w pliku floty.`,
        'Uruchom hosta z opcją „--town” i nazwą, którą plik wymienia, albo dopisz miasto w „towns”.',
      ),
    )
  }
  const findings = flipFindings(topology, obeyed)
  if (topology.apex !== town) return { role: 'replica', topology, findings }
  return { role: own.isSteppingDown ? 'stepping-down' : 'primary', topology, findings }
}

/** What a tick looks at before it acts. */
interface DutyInput {
  readonly role: FleetRole
  /** Whether this boot has finished a converge. */
  readonly hasConverged: boolean
  /** Age of the last converge, time asleep included; null where sync is disabled. */
  readonly syncAgeMs: number | null
  /** `server.sync_max_age_min`. */
  readonly syncMaxAgeMs: number
  /** The key `schedules.*` of the tick. */
  readonly owner: ScheduleOwner
}

/** Why a host may not push what its tick planned. */
type NoPushReason = IdleReason | 'topology_changed'
