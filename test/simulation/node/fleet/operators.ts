import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import { topologyPath } from '#src/domain/fleet/topology.js'
import { commitOnce, sendWish } from '../clients.js'
import { versionOf } from './checks/check-takeovers.js'
import { apexOf } from './faults.js'
import type { FleetMember, FleetRunning } from './fleet-host.js'
import type { SimFleet } from './fleet-world.js'
import {
  editTopology,
  firstFleetFiles,
  type PlainTopology,
  readPlainTopology,
} from './model/topology-files.js'

const person = { name: 'Odo', gracz: null, kind: 'machine' } as const

const pickOne = <A>({ weather }: SimFleet, from: ReadonlyArray<A>): A | undefined =>
  from[weather.between(0, from.length - 1)]

/** An operator asks one host for a takeover. */
export const askForTakeover = (
  world: SimFleet,
  host: FleetMember,
  target: string | null,
  isForced: boolean,
): void => {
  const { running } = host
  if (running === null || host.clock.isStopped()) return
  world.touched(host)
  try {
    const asked = running.desk.request({ reason: 'The apex is dark.', target, isForced }, person, false)
    const said = isLeft(asked) ? asked.left._tag : `accepted ${asked.right.target}`
    world.trace.say(`${host.name} takeover ${said}`)
    if (!isLeft(asked) && asked.right.known === null) world.trace.mark('a takeover was accepted')
  } catch (error) {
    world.trace.say(`${host.name} takeover ${error instanceof Error ? error.message : 'failed'}`)
  }
}

/** A person commits a change of the file of the fleet to the published branch. */
const editFleet = (world: SimFleet, change: (text: string) => string, what: string): void => {
  const { objects, origin, history, checks, trace, clock } = world
  const from = origin.head
  const { files } = objects.get(from)
  const before = files.get(topologyPath) ?? ''
  const after = change(before)
  if (after === before) return
  const message = `fleet: ${what} at ${Math.round(clock.monotonicMs())}`
  const made = { parents: [from], files: new Map(files).set(topologyPath, after), message }
  origin.head = objects.make(made).id
  history.date(origin.head, clock.nowMs())
  trace.say(`a person edits the fleet: ${what}`)
  checks.fleet.takeovers.edited()
  checks.branches.moved('origin', from, origin.head, [])
}

const flipTo = (world: SimFleet, apex: string, raises: boolean): void =>
  editFleet(
    world,
    text => editTopology(text, ({ term }) => ({ apex, term: raises ? term + 1 : term })),
    `${apex} leads`,
  )

const otherTown = (world: SimFleet): string => {
  const apex = apexOf(world)?.name
  return (
    pickOne(
      world,
      world.setup.towns.filter(town => town !== apex),
    ) ?? ''
  )
}

/** A town that a person names, right or wrong. */
const anyTown = (world: SimFleet): string | null =>
  world.weather.happens(0.7) ? otherTown(world) : (pickOne(world, [...world.setup.towns, 'Karigor']) ?? null)

/** There and back: the blob of the file is the same again. */
const flipBack = (world: SimFleet): void => {
  const { origin, history } = world
  const before = readPlainTopology(history.textAt(origin.head))
  if (before === null) return
  flipTo(world, otherTown(world), false)
  world.trace.mark('a person flipped the apex there and back')
  flipTo(world, before.apex, false)
}

/** A person undoes the last takeover: the file is as before, so the branch of the next takeover has that one's name. */
const undoTakeover = (world: SimFleet): void => {
  const last = world.forge.requests().findLast(({ state }) => state === 'merged')
  const version = last === undefined ? null : versionOf(last)
  const before = CommitId.is(version) ? world.history.textAt(version) : undefined
  if (before === undefined || readPlainTopology(before) === null) return
  world.trace.mark('a person undid a takeover')
  editFleet(world, () => before, 'the takeover is undone')
}

/** A flip that is only in the checkout of one host: a commit that is only here promotes no host. */
const flipHere = (world: SimFleet, host: FleetMember): void => {
  const { objects, checks, clock } = world
  const { repository } = host
  const from = repository.head
  const { files } = objects.get(from)
  const text = editTopology(files.get(topologyPath) ?? '', ({ term }) => ({
    apex: host.name,
    term: term + 1,
  }))
  const message = `fleet: ${host.name} leads, says its checkout at ${Math.round(clock.monotonicMs())}`
  repository.head = objects.make({
    parents: [from],
    files: new Map(files).set(topologyPath, text),
    message,
  }).id
  world.trace.mark('a flip was only in one checkout')
  checks.branches.moved(host.name, from, repository.head, [...repository.parked.values()])
}

/** Makes the file unusable for a while, by words that are no topology or without a town. */
const breakFile = (world: SimFleet): void => {
  const { history, origin, clock, weather } = world
  const good = history.textAt(origin.head)
  if (readPlainTopology(good) === null || good === undefined) return
  const gone = otherTown(world)
  const dropTown = ({ towns }: PlainTopology) => ({
    towns: Object.fromEntries(Object.entries(towns).filter(([name]) => name !== gone)),
  })
  const bad = weather.happens(0.5) ? '{"apex": ' : editTopology(good, dropTown)
  editFleet(world, () => bad, 'a broken file')
  const restore = (): void => {
    if (history.textAt(origin.head) === bad) editFleet(world, () => good, 'the file as it was')
  }
  clock.after(weather.between(60_000, 600_000), restore)
}

/** A person mends the file: every town is listed again, and one of them leads. */
export const repairFile = (world: SimFleet): void => {
  const { history, origin, setup } = world
  const now = readPlainTopology(history.textAt(origin.head))
  const isWhole =
    now !== null && now.towns[now.apex] !== undefined && setup.towns.every(town => now.towns[town])
  if (isWhole) return
  const apex = setup.towns.find(town => town === now?.apex) ?? setup.towns[0] ?? ''
  const first = firstFleetFiles(setup.towns).get(topologyPath) ?? ''
  const term = (now?.term ?? 1_000) + 1
  editFleet(world, () => editTopology(first, () => ({ apex, term })), 'the file is mended')
}

const setSteppingDown = (world: SimFleet, town: string, steppingDown: boolean): void => {
  const change = ({ towns }: PlainTopology) => {
    const own = towns[town]
    return own === undefined ? {} : { towns: { ...towns, [town]: { ...own, steppingDown } } }
  }
  const what = `${town} ${steppingDown ? 'steps down' : 'is back'}`
  editFleet(world, text => editTopology(text, change), what)
}

/** The apex hands over: a person says so in the file, and asks the apex. */
const stepDown = (world: SimFleet): void => {
  const apex = apexOf(world)
  if (apex === undefined) return
  setSteppingDown(world, apex.name, true)
  world.clock.after(world.weather.between(0, 900_000), () => askForTakeover(world, apex, null, false))
  world.clock.after(1_200_000, () => setSteppingDown(world, apex.name, false))
}

/** What persons do in a seed, each with its share of the turns; zero where this seed has none of it. */
export interface Habits {
  readonly asks: number
  readonly forces: number
  readonly flips: number
  readonly breaks: number
}

export const habitsOf = (chance: () => number): Habits => ({
  asks: chance() < 0.2 ? 0 : 0.5,
  forces: chance() < 0.6 ? 0 : 0.03,
  flips: chance() < 0.5 ? 0 : 0.04,
  breaks: chance() < 0.7 ? 0 : 0.02,
})

const flipSomehow = (world: SimFleet): void => {
  const { weather } = world
  if (weather.happens(0.25)) flipBack(world)
  else if (weather.happens(0.3)) undoTakeover(world)
  else if (weather.happens(0.2)) stepDown(world)
  else flipTo(world, otherTown(world), weather.happens(0.6))
}

/** Anybody announces anything: the host believes nothing of it. */
const announce = (world: SimFleet, { name }: FleetMember, { desk }: FleetRunning): void => {
  try {
    desk.announce({ newPrimary: otherTown(world), mrIid: null, epochMs: null }, person, false)
  } catch (error) {
    world.trace.say(`${name} announcement ${error instanceof Error ? error.message : 'failed'}`)
  }
}

/** Announcements of a few seconds, for which the host converges twice at most. */
const announceOften = (world: SimFleet, host: FleetMember, running: FleetRunning): void => {
  announce(world, host, running)
  for (const afterMs of [1_000, 2_000, 3_000]) host.clock.after(afterMs, () => announce(world, host, running))
}

/** Whatever persons and clients do at one moment. */
export const takeFleetTurn = (world: SimFleet, habits: Habits): void => {
  const { weather, hosts } = world
  for (const host of hosts) {
    const { running } = host
    if (running === null || host.clock.isStopped()) continue
    world.touched(host)
    if (weather.happens(0.3)) void sendWish(host.world, host, running, false)
    if (weather.happens(0.01)) commitOnce(host.world, host, host.at)
    if (weather.happens(habits.flips / 8)) flipHere(world, host)
    if (weather.happens(0.01)) announceOften(world, host, running)
  }
  const asked = pickOne(world, hosts)
  if (asked !== undefined && weather.happens(habits.asks)) {
    const target = weather.happens(0.3) ? anyTown(world) : null
    if (weather.happens(0.2)) for (const host of hosts) askForTakeover(world, host, host.name, false)
    else askForTakeover(world, asked, target, false)
  }
  if (asked !== undefined && weather.happens(habits.forces))
    askForTakeover(world, asked, weather.happens(0.3) ? anyTown(world) : null, true)
  if (weather.happens(habits.flips)) flipSomehow(world)
  if (weather.happens(habits.breaks)) breakFile(world)
}
