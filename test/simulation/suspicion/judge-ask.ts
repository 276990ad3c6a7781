import { whyNoFailover } from '#src/domain/fleet/failover.js'
import type { Topology } from '#src/domain/fleet/topology.js'
import { isCutThroughout, type PathClimate } from './climate.js'
import { type SuspicionHost, viewsOf } from './host.js'
import { isDuring } from './host-time.js'
import { countIn, type SuspicionTally } from './tally.js'

const afterSweeps = 3
const syncMaxAgeMinutes = 60

/**
 * Whether the path between the host and the apex was cut for three sweeps: among the probes that the host counted as
 * missed since the last answer of the apex there are `after_sweeps` in a row, such that one cut, in either direction,
 * holds from the end of the first of them to the start of the last. The host cannot know then that the apex lives, and
 * goes on suspecting it until it answers.
 */
const wasReallyCut = (climate: PathClimate, { town, misses }: SuspicionHost, apex: string): boolean => {
  const missed = misses.get(apex) ?? []
  return missed.some((first, at) => {
    const last = missed[at + afterSweeps - 1]
    return last !== undefined && isCutThroughout(climate, town, apex, first.toMs, last.fromMs)
  })
}

/** Whether the apex was busy at each miss that the ask is for: it answered every one of them, late. */
const wasOnlyLate = ({ busy }: PathClimate, { misses }: SuspicionHost, apex: string): boolean => {
  const counted = (misses.get(apex) ?? []).slice(-afterSweeps)
  return counted.length > 0 && counted.every(({ fromMs }) => busy.some(one => isDuring(one, fromMs)))
}

export interface AskJudge {
  readonly climate: PathClimate
  readonly topology: Topology
  /** All hosts but the apex, which never asks for a takeover of itself. */
  readonly hosts: ReadonlyArray<SuspicionHost>
  readonly syncAgeMinutes: (town: string) => number
  readonly tally: SuspicionTally
}

/**
 * Decides, as a host does after a probe of the apex, whether it asks for a takeover. Returns the violation where it
 * asks although the apex lives, and another host sees the apex and the path was not really cut, or the apex was only
 * late; null otherwise. All
 * other conditions of an ask are met: a forge, no cooldown, no request and no veto.
 */
export const judgeAsk = (
  { climate, topology, hosts, syncAgeMinutes, tally }: AskJudge,
  host: SuspicionHost,
): string | null => {
  const { apex } = topology
  const fleet = { topology, views: viewsOf(host, syncAgeMinutes(host.town)), syncMaxAgeMinutes }
  const facts = { canActuate: true, cooldown: null, fleet, self: host.town, afterSweeps }
  const { isSettling = false, consecutiveMisses = 0 } = host.table.records().get(apex) ?? {}
  if (isSettling && consecutiveMisses >= afterSweeps) countIn(tally, 'misses that settling holds back')
  const fence = { commit: 'c', blob: 'b' }
  if (whyNoFailover({ facts, isEnabled: true, fence, hasActiveJob: false, failures: [] }) !== null)
    return null
  const isSeen = hosts.some(one => one !== host && one.table.records().get(apex)?.isReachable === true)
  const wasCut = wasReallyCut(climate, host, apex)
  if (wasOnlyLate(climate, host, apex))
    return `${host.town} asks for a takeover of ${apex}, which answers late (false suspicion)`
  if (isSeen && !wasCut)
    return `${host.town} asks for a takeover of the live ${apex} after ${consecutiveMisses} misses (false suspicion)`
  countIn(
    tally,
    wasCut ? 'asks over a path that was cut for three sweeps' : 'asks where no other host sees the apex',
  )
  return null
}
