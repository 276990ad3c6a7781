import { statusCardOf } from '#src/http/handlers/fleet.js'
import { wasTried } from './checks/check-latency.js'
import { apexOf } from './faults.js'
import type { FleetMember } from './fleet-host.js'
import type { SimFleet } from './fleet-world.js'
import { forgePlace } from './model/links.js'

const minuteMs = 60_000
const lookMs = 5_000
const timeoutMs = 15_000
/** A takeover that was asked for is merged within this time, on the slowest clock (L3). */
const mergedMs = 12 * minuteMs

/**
 * The first candidate asks after `after_sweeps` intervals and a time-out (L2), the one behind `unable` others as many
 * sweeps later. Where clocks drift, two hosts may each take the other for the first, and one of them asks a sweep later.
 */
const boundMsOf = ({ setup }: SimFleet, unable: number, isCached: boolean): number => {
  const { afterSweeps, watchIntervalMs, drift } = setup
  // The first look at a card in a cache may be the first look at that card.
  const sweeps = afterSweeps + unable + (drift === 0 ? 0 : 1) + (isCached ? 1 : 0)
  return sweeps * watchIntervalMs * (1 + 1.2 * drift) + timeoutMs + lookMs
}

/** Cuts every candidate but one off the forge, so only that one can ask. Returns how many, and what mends the links. */
const leaveOneAble = ({ hosts, links, weather, trace }: SimFleet, apex: FleetMember) => {
  const candidates = hosts.filter(host => host !== apex)
  const able = candidates[weather.between(0, candidates.length - 1)]
  const unable = candidates.filter(host => host !== able)
  const mends = unable.flatMap(({ name }) => [links.cut(name, forgePlace), links.cut(forgePlace, name)])
  trace.say(`only ${able?.name} reaches the forge`)
  return {
    unable: unable.length,
    mend: (): void => {
      for (const mend of mends) mend()
    },
  }
}

/**
 * Some seeds have one trouble alone: the apex dies, freezes, or dies behind a cache that goes on answering with its last
 * card, and stays so until the faults end. In half of them one candidate
 * alone reaches the forge. Then a host must ask for a takeover within the bound of L2, and another town must lead soon
 * after.
 */
export const runQuiet = async (world: SimFleet, untilMs: number): Promise<void> => {
  const { clock, weather, settle, trace } = world
  const diesAtMs = weather.between(15 * minuteMs, 30 * minuteMs)
  await clock.advance(diesAtMs, settle)
  const apex = apexOf(world)
  if (apex === undefined) return trace.violation('a quiet fleet has no apex (S2)')
  // A frozen process accepts connections and never answers; a dead one refuses them.
  const isFrozen = weather.happens(0.3)
  const isCached = !isFrozen && apex.running !== null && weather.happens(0.7)
  trace.say(`${apex.name} ${isFrozen ? 'freezes' : 'dies'} for good${isCached ? ' behind a cache' : ''}`)
  if (isCached && apex.running !== null)
    world.faults.state.caches.set(apex.name, statusCardOf(apex.running.card, null, apex.clock.nowMs()))
  const startAgain = isFrozen ? apex.clock.freeze() : world.takeDown(apex)
  const passUntil = async (isDone: () => boolean, limitMs: number): Promise<number> => {
    const beganMs = clock.monotonicMs()
    const passedMs = (): number => clock.monotonicMs() - beganMs
    while (!isDone() && passedMs() <= limitMs) await clock.advance(lookMs, settle)
    return passedMs()
  }
  const { unable, mend } = weather.happens(0.5)
    ? leaveOneAble(world, apex)
    : { unable: 0, mend: () => undefined }
  const boundMs = boundMsOf(world, unable, isCached)
  // A takeover may be merged between two looks.
  const askedMs = await passUntil(() => apexOf(world) !== apex || wasTried(world), boundMs)
  trace.say(`asked after ${askedMs} ms of ${boundMs} ms`)
  if (askedMs > boundMs) trace.violation(`the apex is dead for ${askedMs / 1_000} s, and no host asks (L2)`)
  const ledMs = await passUntil(() => apexOf(world) !== apex, mergedMs)
  if (ledMs > mergedMs) trace.violation(`a dead apex leads ${ledMs / 1_000} s after a host asked (L3)`)
  else trace.mark('a dead apex was taken over from in a quiet fleet')
  if (ledMs <= mergedMs && isCached)
    trace.mark('an apex was taken over from whose card a cache goes on showing')
  await clock.advance(Math.max(0, untilMs - clock.monotonicMs()), settle)
  mend()
  world.faults.state.caches.clear()
  startAgain()
}
