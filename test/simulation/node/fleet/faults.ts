import type { StatusCard } from '#protocol/fleet/peers.js'
import type { ForgeOutcome } from '#protocol/host/forge.js'
import type { FleetMember } from './fleet-host.js'
import type { SimFleet } from './fleet-world.js'
import { forgePlace, remotePlace } from './model/links.js'
import { readPlainTopology } from './model/topology-files.js'

/** What is wrong at this moment, beside the links and the clocks. */
export interface Faults {
  readonly hasNoNames: (host: string) => boolean
  readonly isDiskFull: (host: string) => boolean
  /** Whether the card of the host says that it leads, whatever its file says. */
  readonly isLiar: (host: string) => boolean
  /** What the forge answers instead of performing a call; null where it performs it. */
  readonly forgeTrouble: () => ForgeOutcome | null
  readonly losesAnswers: () => boolean
  /** The card that a cache answers with for a host that is down; undefined without a cache. */
  readonly cardInCache: (host: string) => StatusCard | undefined
  readonly state: FaultState
}

interface FaultState {
  readonly noNames: Set<string>
  readonly fullDisks: Set<string>
  readonly liars: Set<string>
  trouble: (() => ForgeOutcome | null) | null
  losesAnswers: boolean
  readonly caches: Map<string, StatusCard>
}

export const openFaults = (): Faults => {
  const state: FaultState = {
    noNames: new Set(),
    fullDisks: new Set(),
    liars: new Set(),
    trouble: null,
    losesAnswers: false,
    caches: new Map(),
  }
  return {
    state,
    hasNoNames: host => state.noNames.has(host),
    isDiskFull: host => state.fullDisks.has(host),
    isLiar: host => state.liars.has(host),
    forgeTrouble: () => state.trouble?.() ?? null,
    losesAnswers: () => state.losesAnswers,
    cardInCache: host => state.caches.get(host),
  }
}

/** Begins a period of a fault, and returns the function that ends it. */
type BeginFault = (world: SimFleet, lastsMs: number) => () => void

export interface FaultKind {
  readonly name: string
  /** The share of the seeds that have this fault at all. */
  readonly share: number
  readonly gapMs: number
  readonly lastsMs: readonly [number, number]
  readonly begin: BeginFault
}

const minuteMs = 60_000
const dayMs = 86_400_000

export const apexOf = ({ history, origin, hosts }: SimFleet): FleetMember | undefined => {
  const apex = readPlainTopology(history.textAt(origin.head))?.apex
  return hosts.find(({ name }) => name === apex)
}

/** A host, and often the apex. */
const pickHost = (world: SimFleet): FleetMember => {
  const { weather, hosts } = world
  const apex = weather.happens(0.5) ? apexOf(world) : undefined
  const host = apex ?? hosts[weather.between(0, hosts.length - 1)]
  if (host === undefined) throw new Error('a fleet without hosts')
  world.trace.say(`it hits ${host.name}`)
  return host
}

const endAll =
  (ends: ReadonlyArray<() => void>): (() => void) =>
  () => {
    for (const end of ends) end()
  }

const holdIn = (places: Set<string>, host: string): (() => void) => {
  places.add(host)
  return () => void places.delete(host)
}

const bothWays = ({ links }: SimFleet, a: string, b: string): ReadonlyArray<() => void> => [
  links.cut(a, b),
  links.cut(b, a),
]

const placesOf = ({ hosts }: SimFleet): ReadonlyArray<string> => [
  ...hosts.map(({ name }) => name),
  remotePlace,
  forgePlace,
]

/** Two sides that do not hear each other; the remote and the forge are on one of them. */
const partition: BeginFault = world => {
  const sides = new Map(placesOf(world).map(place => [place, world.weather.happens(0.5)]))
  const places = [...sides.keys()]
  return endAll(
    places.flatMap(a =>
      places.flatMap(b => (sides.get(a) === true && sides.get(b) === false ? bothWays(world, a, b) : [])),
    ),
  )
}

const oneWay: BeginFault = world => {
  const from = pickHost(world).name
  const places = placesOf(world).filter(place => place !== from)
  const to = places[world.weather.between(0, places.length - 1)] ?? remotePlace
  const isOut = world.weather.happens(0.5)
  return world.links.cut(isOut ? from : to, isOut ? to : from)
}

/** Cuts hosts off from everything, one after the other, and mends them in another order. */
const swizzle: BeginFault = (world, lastsMs) => {
  const { weather, clock, hosts } = world
  const places = placesOf(world)
  const clogged = hosts.filter(() => weather.happens(0.5))
  const ends = clogged.map(({ name }) => {
    const cuts: Array<() => void> = []
    const end = endAll(cuts)
    const clog = (): void => {
      for (const place of places) if (place !== name) cuts.push(...bothWays(world, name, place))
    }
    clock.after(weather.between(0, lastsMs / 3), clog)
    clock.after(weather.between(lastsMs / 2, lastsMs), () => endAll(cuts)())
    return end
  })
  return endAll(ends)
}

const forgeAnswers =
  (answer: (world: SimFleet) => ForgeOutcome | null): BeginFault =>
  world => {
    world.faults.state.trouble = () => answer(world)
    return () => {
      world.faults.state.trouble = null
    }
  }

const stepClock: BeginFault = world => {
  const { weather } = world
  const host = pickHost(world)
  const ms = weather.between(1, 7 * dayMs) * (weather.happens(0.5) ? 1 : -1)
  host.clock.step(ms)
  return () => {
    if (weather.happens(0.5)) host.clock.step(-ms)
  }
}

/** Each fault is a period, and on or off for a whole seed: chance for each message makes no long partition. */
export const faultKinds: ReadonlyArray<FaultKind> = [
  {
    name: 'crash',
    share: 0.6,
    gapMs: 35 * minuteMs,
    lastsMs: [1_000, 40 * minuteMs],
    begin: world => world.takeDown(pickHost(world)),
  },
  {
    name: 'freeze',
    share: 0.4,
    gapMs: 40 * minuteMs,
    lastsMs: [10_000, 30 * minuteMs],
    begin: world => pickHost(world).clock.freeze(),
  },
  {
    name: 'stall',
    share: 0.3,
    gapMs: 10 * minuteMs,
    lastsMs: [5_000, 40_000],
    begin: world => pickHost(world).clock.freeze(),
  },
  {
    name: 'sleep',
    share: 0.3,
    gapMs: 50 * minuteMs,
    lastsMs: [minuteMs, 60 * minuteMs],
    begin: world => pickHost(world).clock.sleep(),
  },
  { name: 'clock step', share: 0.4, gapMs: 30 * minuteMs, lastsMs: [0, 40 * minuteMs], begin: stepClock },
  { name: 'one way', share: 0.5, gapMs: 15 * minuteMs, lastsMs: [minuteMs, 30 * minuteMs], begin: oneWay },
  {
    name: 'partition',
    share: 0.4,
    gapMs: 40 * minuteMs,
    lastsMs: [minuteMs, 35 * minuteMs],
    begin: partition,
  },
  {
    name: 'no remote',
    share: 0.3,
    gapMs: 40 * minuteMs,
    lastsMs: [minuteMs, 30 * minuteMs],
    begin: world => endAll(bothWays(world, pickHost(world).name, remotePlace)),
  },
  {
    name: 'no forge',
    share: 0.3,
    gapMs: 40 * minuteMs,
    lastsMs: [minuteMs, 20 * minuteMs],
    begin: world => endAll(world.hosts.flatMap(({ name }) => bothWays(world, name, forgePlace))),
  },
  {
    name: 'swizzle',
    share: 0.3,
    gapMs: 40 * minuteMs,
    lastsMs: [4 * minuteMs, 20 * minuteMs],
    begin: swizzle,
  },
  {
    name: 'loss',
    share: 0.3,
    gapMs: 30 * minuteMs,
    lastsMs: [minuteMs, 20 * minuteMs],
    begin: ({ links, weather }) => links.lose(weather.between(1, 30) / 100),
  },
  {
    name: 'no names',
    share: 0.3,
    gapMs: 30 * minuteMs,
    lastsMs: [minuteMs, 15 * minuteMs],
    begin: world => holdIn(world.faults.state.noNames, pickHost(world).name),
  },
  {
    name: 'full disk',
    share: 0.3,
    gapMs: 40 * minuteMs,
    lastsMs: [5_000, 10 * minuteMs],
    begin: world => holdIn(world.faults.state.fullDisks, pickHost(world).name),
  },
  {
    name: 'liars',
    share: 0.3,
    gapMs: 30 * minuteMs,
    lastsMs: [minuteMs, 20 * minuteMs],
    begin: world => endAll(world.hosts.map(({ name }) => holdIn(world.faults.state.liars, name))),
  },
  {
    name: 'forge limits',
    share: 0.3,
    gapMs: 20 * minuteMs,
    lastsMs: [10_000, 6 * minuteMs],
    begin: forgeAnswers(({ weather }) => ({
      _tag: 'Limited',
      waitMs: weather.happens(0.5) ? null : weather.between(1, 90) * 1_000,
    })),
  },
  {
    name: 'forge errors',
    share: 0.3,
    gapMs: 20 * minuteMs,
    lastsMs: [10_000, 15 * minuteMs],
    begin: forgeAnswers(({ weather }) =>
      weather.happens(0.3) ? null : { _tag: 'Faulty', status: 502, waitMs: null },
    ),
  },
  {
    name: 'forge loses answers',
    share: 0.4,
    gapMs: 8 * minuteMs,
    lastsMs: [minuteMs, 12 * minuteMs],
    begin: ({ faults }) => {
      faults.state.losesAnswers = true
      return () => {
        faults.state.losesAnswers = false
      }
    },
  },
]

/** Arms the periods of the kinds that this seed has; every one of them is over at `untilMs`. */
export const planFaults = (world: SimFleet, untilMs: number): void => {
  const { weather, clock, trace } = world
  for (const kind of faultKinds.filter(({ share }) => weather.happens(share))) {
    let atMs = weather.between(0, kind.gapMs)
    while (atMs < untilMs) {
      const lastsMs = Math.min(weather.between(...kind.lastsMs), untilMs - atMs)
      clock.after(atMs, () => {
        trace.say(`${kind.name} begins for ${Math.round(lastsMs / 1_000)} s`)
        const end = kind.begin(world, lastsMs)
        clock.after(lastsMs, () => {
          end()
          trace.say(`${kind.name} ends`)
        })
      })
      atMs += lastsMs + weather.between(0, 2 * kind.gapMs)
    }
  }
}
