import { isConverged } from '#protocol/host/sync.js'
import { settledOf } from '#src/kernel/actor/tally.js'
import { entropyFromSeed } from '#test/support/kernel/entropy-from-seed.js'
import { modeOnce, sendWish } from '../clients.js'
import type { SimulationOutcome } from '../simulate.js'
import type { HearLine } from '../trace.js'
import { latencyCheck } from './checks/check-latency.js'
import { checkRead, readFleetRows } from './checks/check-reads.js'
import { apexOf, planFaults } from './faults.js'
import type { FleetMember } from './fleet-host.js'
import { fleetSetupOf } from './fleet-setup.js'
import { openSimFleet, type SimFleet } from './fleet-world.js'
import { type HostLooks, openHostLooks } from './host-looks.js'
import { habitsOf, repairFile, takeFleetTurn } from './operators.js'
import { runQuiet } from './quiet-seed.js'
import { startFleetHost } from './start-host.js'

const minuteMs = 60_000
const faultsMs = 84 * minuteMs
const calmMinutes = 18
/** Messages of one actor that may be under way when the world is looked at. */
const underWayMost = 3
const tailLines = 200

/** Faults have stopped, and there was time enough for three converges: the hosts are equal, and nothing is left over. */
const checkRest = (world: SimFleet, host: FleetMember): void => {
  const { checks, origin, trace, objects, history } = world
  const { name, repository, running, lastAction } = host
  if (running === null) return trace.violation(`${name} does not run (L1)`)
  checks.branches.atRest(name, repository.head, [...repository.parked.values()], name)
  checks.branches.atRest('origin', origin.head, [], name)
  if (lastAction === null || !isConverged(lastAction))
    trace.violation(`${name} does not converge: ${lastAction} (L1)`)
  if (running.age.isStale()) trace.violation(`${name} has an old sync (L1)`)
  if (!objects.isAncestor(repository.head, origin.head))
    trace.violation(`${name} has commits that it did not publish (L1)`)
  if (checks.fleet.roles.readAt(host) !== repository.fetched)
    trace.violation(`${name} has not read the file at what it fetched (S1)`)
  if (history.lastChange(repository.fetched ?? origin.head) !== history.lastChange(origin.head))
    trace.violation(`${name} has another version of the fleet than the remote (L1)`)
  for (const [actor, tally] of running.kernel.tallies())
    if (settledOf(tally) > tally.sent || tally.sent - settledOf(tally) > underWayMost)
      trace.violation(`${name}: ${actor} got ${tally.sent} messages and settled ${settledOf(tally)} (S33)`)
  checks.fleet.takeovers.atRest(host)
}

/** A client reads the rows of one host at each fourth look. */
const readEvery = 4

/** A client reads the rows of the fleet on one host after the other. */
const readOneHost = async (
  { trace, links, settle, hosts, setup, checks }: SimFleet,
  turn: number,
): Promise<void> => {
  const host = hosts[turn % hosts.length]
  const running = host?.running
  if (host === undefined || running === null || running === undefined) return
  const read = (): void => {
    const text = readFleetRows(running.card, setup.towns, host.clock.nowMs())
    checks.fleet.secrets.wrote(`an answer of ${host.name}`, text)
  }
  await checkRead({ trace, calls: links.calls, settle }, host.name, read)
}

const runTrouble = async (world: SimFleet, looks: HostLooks): Promise<void> => {
  const { clock, weather, hosts, trace, settle } = world
  const habits = habitsOf(entropyFromSeed(world.seed * 5 + 2).chance)
  const latency = latencyCheck()
  let looked = 0
  for (const host of hosts) startFleetHost(world, host)
  if (world.setup.isQuiet) return runQuiet(world, faultsMs)
  planFaults(world, faultsMs)
  while (clock.monotonicMs() < faultsMs && trace.violations.length === 0) {
    takeFleetTurn(world, habits)
    await clock.advance(weather.between(15_000, 90_000), settle)
    latency.look(world)
    looks.say(world)
    if (looked % readEvery === 0) await readOneHost(world, looked / readEvery)
    looked += 1
  }
}

const runCalm = async (world: SimFleet, looks: HostLooks): Promise<void> => {
  const { clock, hosts, settle, trace } = world
  const passMinutes = async (minutes: number): Promise<void> => {
    for (let passed = 0; passed < minutes; passed += 1) {
      await clock.advance(minuteMs, settle)
      looks.say(world)
    }
  }
  world.calm()
  // Faults end at this moment, and persons still finish what they began.
  await passMinutes(10)
  repairFile(world)
  await passMinutes(calmMinutes)
  const apex = apexOf(world)
  // A gate that the disk closed waits for an operator.
  if (apex?.running?.mode.get().mode === 'ReadOnly') {
    world.touched(apex)
    void modeOnce(apex.world, apex, 'ReadWrite')
    await passMinutes(1)
  }
  if (apex?.running !== null && apex !== undefined) {
    world.touched(apex)
    const wrote = sendWish(apex.world, apex, apex.running, false)
    await passMinutes(1)
    const { fate } = await wrote
    if (fate._tag !== 'acked') trace.violation(`${apex.name} leads and does not write (L5)`)
  }
  await passMinutes(8)
  // A converge that begins just now has fetched, and the role is read when its fetch is over.
  const isFetching = (host: FleetMember): boolean =>
    world.checks.fleet.roles.readAt(host) !== host.repository.fetched
  for (let waits = 0; waits < 20 && hosts.some(isFetching); waits += 1)
    await world.clock.advance(50, world.settle)
  for (const host of hosts) checkRest(world, host)
  for (const claim of world.claims.values())
    world.checks.fleet.secrets.wrote('a commit', world.objects.get(claim).message)
}

/** Two virtual hours of a fleet. The same seed gives the same `hash`. */
export const simulateFleet = async (seed: number, hear?: HearLine): Promise<SimulationOutcome> => {
  const world = openSimFleet(seed, fleetSetupOf(entropyFromSeed(seed * 3 + 1).chance), hear)
  const looks = openHostLooks()
  const { trace, checks, hosts } = world
  await runTrouble(world, looks)
  if (trace.violations.length === 0) await runCalm(world, looks)
  world.close()
  return {
    seed,
    violations: trace.violations,
    tail: trace.tail(tailLines),
    hash: trace.hash(),
    events: trace.events(),
    acked: checks.branches.asked.filter(one => one.fate._tag === 'acked').length,
    crashes: hosts.reduce((sum, host) => sum + Math.max(0, host.lives - 1), 0),
    jobs: checks.fleet.takeovers.count(),
    converges: checks.sync.converges(),
    marks: trace.marked,
    parked: hosts.reduce((sum, host) => sum + host.repository.parked.size, 0),
  }
}
