import { isConverged } from '#protocol/host/sync.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { months } from './awards.js'
import {
  awardOnce,
  closeOnce,
  commitOnce,
  jobOnce,
  modeOnce,
  publishOnce,
  purgeOnce,
  readOnce,
  syncOnce,
  writeOnce,
} from './clients.js'
import { closableHeaders } from './closes.js'
import { type SimHost, start } from './host.js'
import type { AskedWrite } from './ledger.js'
import type { HearLine, Mark } from './trace.js'
import type { Climate } from './weather.js'
import { openWorld, type World } from './world.js'

/** What one seed came to. The same seed gives the same `hash`. */
export interface SimulationOutcome {
  readonly seed: number
  readonly violations: ReadonlyArray<string>
  /** The last lines of the trace. */
  readonly tail: ReadonlyArray<string>
  readonly hash: string
  readonly events: number
  readonly acked: number
  readonly crashes: number
  readonly jobs: number
  readonly converges: number
  readonly parked: number
  readonly marks: ReadonlySet<Mark>
}

const turns = 50
const turnMsMax = 400
const calmMs = 20_000
const tailLines = 60
/** In one seed of these the remote is rewritten, at this turn. */
const rewrittenSeeds = 4
const purgeTurn = 25
const allPages = 1_000

/** Some seeds are kind, so that plain work is seen too; some are harsh. */
const climateOf = (chance: () => number): Climate => ({
  crash: chance() < 0.3 ? 0 : chance() * 0.02,
  disk: chance() < 0.5 ? 0 : 0.03,
  link: chance() < 0.3 ? 0 : 0.05,
  fault: chance() < 0.5 ? 0 : 0.04,
})

const takeTurn = (world: World, climate: Climate, asks: Array<Promise<unknown>>): void => {
  const { weather, hosts } = world
  weather.turn(hosts.map(({ name }) => name))
  // All at once: one of them closes the session.
  const closing = weather.happens(0.1)
    ? closableHeaders[weather.between(0, closableHeaders.length - 1)]
    : undefined
  if (closing !== undefined) asks.push(...hosts.map(host => closeOnce(world, host, closing)))
  for (const [at, host] of hosts.entries()) {
    const burst = weather.happens(0.1) ? weather.between(4, 12) : weather.between(0, 1)
    for (let sent = 0; sent < burst; sent += 1) asks.push(writeOnce(world, host, weather.happens(0.1)))
    if (weather.happens(0.03)) commitOnce(world, host, at)
    if (weather.happens(0.3)) publishOnce(world, host)
    if (weather.happens(0.1)) asks.push(jobOnce(world, host))
    if (weather.happens(0.05)) asks.push(syncOnce(world, host))
    if (weather.happens(0.05)) asks.push(awardOnce(world, host, months[weather.between(0, 2)] ?? months[0]))
    if (weather.happens(0.1)) asks.push(readOnce(world, host, 1))
    if (weather.happens(climate.fault)) host.running?.fault()
    const isClosed = host.running?.mode.get().mode === 'ReadOnly'
    if (weather.happens(isClosed ? 0.3 : 0.03))
      asks.push(modeOnce(world, host, isClosed ? 'ReadWrite' : 'ReadOnly'))
    world.checks.jobs.look(host.name, host.jobs.find)
  }
}

/** Operators find out that the remote was rewritten, and accept it, one host after the other. */
const acceptSome = (world: World, asks: Array<Promise<unknown>>): void => {
  for (const host of world.hosts)
    if (host.repository.rewritten !== null && world.weather.happens(0.2))
      asks.push(syncOnce(world, host, 'Accept'))
}

/** Faults have stopped, and there was time enough: nothing is lost, left over or out of step. */
const checkRest = async (world: World, host: SimHost, last: AskedWrite | null): Promise<void> => {
  const { checks, origin, trace, objects } = world
  const { name, mode, repository, running, lastAction } = host
  if (last?.fate._tag !== 'acked') trace.violation(`${name} does not write any more (L5)`)
  await readOnce(world, host, allPages)
  checks.branches.atRest(name, repository.head, [...repository.parked.values()], name)
  checks.enactments.atRest(name, repository.head, false)
  if (mode === 'push') checks.branches.atRest('origin', origin.head, [], name)
  checks.enactments.atRest('origin', origin.head, true)
  const isForgotten = [...repository.owed.values()].some(({ commit }) =>
    objects.isAncestor(commit, origin.head),
  )
  if (isForgotten) trace.violation(`${name} has notices that never go (L5)`)
  checks.jobs.atRest(name, host.jobs.find)
  checks.events.atRest(name, running?.feed.head() ?? 0)
  if (lastAction === null || !isConverged(lastAction))
    trace.violation(`${name} does not converge: ${lastAction} (L1)`)
  if (!objects.isAncestor(origin.head, repository.head))
    trace.violation(`${name} does not have what origin has (L1)`)
}

export const simulate = async (seed: number, hear?: HearLine): Promise<SimulationOutcome> => {
  const climate = climateOf(entropyFromSeed(seed * 2 + 1).chance)
  const world = openWorld(seed, climate, hear)
  const { clock, weather, hosts, checks, trace, settle } = world
  const asks: Array<Promise<unknown>> = []
  for (const host of hosts) start(world, host)
  for (let turn = 0; turn < turns && trace.violations.length === 0; turn += 1) {
    takeTurn(world, climate, asks)
    if (seed % rewrittenSeeds === 1 && turn === purgeTurn) purgeOnce(world)
    acceptSome(world, asks)
    await clock.advance(weather.between(0, turnMsMax), settle)
  }
  if (trace.violations.length === 0) {
    weather.calm()
    await clock.advance(calmMs, settle)
    const behind = hosts.filter(({ repository }) => repository.rewritten !== null)
    for (const host of behind) asks.push(syncOnce(world, host, 'Accept'))
    if (behind.length > 0) await clock.advance(calmMs, settle)
    for (const host of hosts) asks.push(modeOnce(world, host, 'ReadWrite'))
    await clock.advance(calmMs, settle)
    for (const host of hosts) {
      asks.push(...months.map(month => awardOnce(world, host, month)))
      asks.push(...closableHeaders.map(header => closeOnce(world, host, header)))
    }
    await clock.advance(calmMs, settle)
    const last = hosts.map(host => writeOnce(world, host, false))
    await clock.advance(calmMs, settle)
    for (const [at, host] of hosts.entries()) await checkRest(world, host, (await last[at]) ?? null)
  }
  world.close()
  return {
    seed,
    violations: trace.violations,
    tail: trace.tail(tailLines),
    hash: trace.hash(),
    events: trace.events(),
    acked: checks.branches.asked.filter(one => one.fate._tag === 'acked').length,
    crashes: hosts.reduce((sum, host) => sum + host.lives - 1, 0),
    jobs: checks.jobs.completed(),
    converges: checks.sync.converges(),
    marks: trace.marked,
    parked: hosts.reduce((sum, host) => sum + host.repository.parked.size, 0),
  }
}
