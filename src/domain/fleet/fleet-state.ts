import type { ObeyedTopology } from '#protocol/fleet/peers.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { ProbeResult } from './peers.js'
import {
  decideRole,
  type FleetRole,
  modeOfRole,
  obeyTopology,
  type TopologyFence,
  type TopologySource,
} from './role.js'
import type { Topology, Town } from './topology.js'

/** One version of `.svc/fleet.json` as the repository has it. */
export interface TopologyVersion {
  readonly source: TopologySource
  /** Null where there is no file. */
  readonly fence: TopologyFence | null
}

/**
 * The part that this host has in the fleet. The host has one such value. The topology watch updates it: at the
 * start, after each fetch and at the end of each converge. Readers take the current value and do no I/O.
 */
export interface FleetState {
  /** The town of this host; empty where it was started without one. */
  readonly town: string
  readonly role: FleetRole
  /** Null where the host is alone, has fetched nothing yet, or the file cannot be used. */
  readonly topology: Topology | null
  /** The version that `topology` was read from; null where there is no file. */
  readonly fence: TopologyFence | null
  /** The flip that this host obeyed last, as `runtime.db` keeps it. */
  readonly obeyed: ObeyedTopology | null
  /** Whether this boot has finished a converge. */
  readonly hasConverged: boolean
  /** What is wrong with the file, in Polish. */
  readonly findings: ReadonlyArray<Finding>
}

/** The state before the file was read: with a town, a replica without duties (S1). */
export const firstFleetState = (town: string, obeyed: ObeyedTopology | null): FleetState =>
  fleetStateOf({ source: { _tag: 'NotFetched' }, fence: null }, { town, obeyed, hasConverged: false })

/** The state that follows from a version of the file, from what this host obeyed before, and from its name. */
export const fleetStateOf = (
  { source, fence }: TopologyVersion,
  { town, obeyed, hasConverged }: Pick<FleetState, 'town' | 'obeyed' | 'hasConverged'>,
): FleetState => {
  const { role, topology, findings } = decideRole({ town, source, obeyed })
  const now = topology === null || role === 'lost' ? obeyed : obeyTopology(topology, obeyed)
  return { town, role, topology, fence, obeyed: now, hasConverged, findings }
}

/** The towns that this host watches: all others of a topology that lists it. */
export const otherTowns = ({ town, topology }: FleetState): ReadonlyMap<string, Town> =>
  topology === null || !topology.towns.has(town)
    ? noTowns
    : new Map([...topology.towns].filter(([name]) => name !== town))

/** The mode that the state asks for (D29, D47). */
export const modeOfFleet = ({ role, hasConverged }: FleetState): 'ReadWrite' | 'ReadOnly' =>
  modeOfRole(role, hasConverged)

/** The clocks of this host at one moment. */
export interface HostClocks {
  /** Stands still while the machine sleeps. */
  readonly monotonicMs: number
  /** Runs on while the machine sleeps, and may be set. */
  readonly wallMs: number
  /** Time since the machine started, its sleep included; in steps of a second on some systems. */
  readonly uptimeMs: number
  /** Pauses of this host that any watcher has found since the start. */
  readonly pauses: number
}

/** A pause of this host that has just ended. */
export interface HostPause {
  /** How much longer than the timer asked the host was away. */
  readonly pauseMs: number
  /** The part of it that the monotonic clock does not show. */
  readonly sleepMs: number
}

/**
 * Whether this host was paused between two readings, the second of which was due after `dueMs`: the timer came
 * late by half an interval (a stopped process), or the monotonic clock, the wall clock and the uptime moved
 * apart (a machine that slept, or a clock that was set). Null where it was not. A clock that was set does not
 * count as sleep.
 */
export const findPause = (
  before: HostClocks,
  now: HostClocks,
  dueMs: number,
  intervalMs: number,
): HostPause | null => {
  const monotonicMs = now.monotonicMs - before.monotonicMs
  const lateMs = monotonicMs - dueMs
  const sleepMs = now.uptimeMs - before.uptimeMs - monotonicMs
  const stepMs = now.wallMs - before.wallMs - monotonicMs
  const apartMsMost = Math.max(apartMsLeast, intervalMs / 2)
  const isAsleep = sleepMs > apartMsMost
  const isApart = isAsleep || Math.abs(stepMs) > apartMsMost || Math.abs(stepMs - sleepMs) > apartMsMost
  if (lateMs <= Math.max(lateMsLeast, intervalMs / 2) && !isApart) return null
  const sleptMs = isAsleep ? sleepMs : 0
  return { pauseMs: Math.max(0, lateMs) + sleptMs, sleepMs: sleptMs }
}

export const healthScoreMax = 7

/** What says something about this host rather than about a town. */
export type HealthSign = ProbeResult['_tag'] | 'Paused'

/**
 * The local health score after a sign, from 0 (healthy) to 7: a probe that was not sent and a pause of this host
 * raise it, an answered probe lowers it. A town that is dark says nothing about this host.
 */
export const healthScoreAfter = (score: number, sign: HealthSign): number => {
  switch (sign) {
    case 'NotSent':
    case 'Paused':
      return Math.min(healthScoreMax, score + 1)
    case 'Answered':
      return Math.max(0, score - 1)
    case 'Failed':
      return score
  }
}

const noTowns: ReadonlyMap<string, Town> = new Map()

/** Below this a late timer is the load of the machine. */
const lateMsLeast = 500
/** Below this two clocks differ by their steps and their corrections. */
const apartMsLeast = 2_000
