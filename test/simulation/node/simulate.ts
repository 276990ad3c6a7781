import { seededEntropy } from '#src/kernel/entropy.js'
import { publishOnce, writeOnce } from './clients.js'
import { start } from './host.js'
import type { Climate } from './weather.js'
import { openWorld, type World } from './world.js'

/** What one seed came to. The same seed gives the same `hash`. */
export interface Outcome {
  readonly seed: number
  readonly violations: ReadonlyArray<string>
  /** The last lines of the trace. */
  readonly tail: ReadonlyArray<string>
  readonly hash: string
  readonly events: number
  readonly acked: number
  readonly crashes: number
}

const turns = 60
const turnMsMax = 400
const calmMs = 120_000
const tailLines = 60

/** Some seeds are kind, so that plain work is seen too; some are harsh. */
const climateOf = (chance: () => number): Climate => ({
  crash: chance() < 0.3 ? 0 : chance() * 0.03,
  disk: chance() < 0.5 ? 0 : 0.03,
  link: chance() < 0.3 ? 0 : 0.05,
})

const takeTurn = (world: World, asks: Array<Promise<void>>): void => {
  const { weather, hosts } = world
  weather.turn(hosts.map(({ name }) => name))
  for (const host of hosts) {
    const burst = weather.happens(0.1) ? weather.between(5, 20) : weather.between(0, 2)
    for (let at = 0; at < burst; at += 1) asks.push(writeOnce(world, host, weather.happens(0.1)))
    if (weather.happens(0.3)) publishOnce(world, host)
  }
}

export const simulate = async (seed: number): Promise<Outcome> => {
  const { chance } = seededEntropy(seed * 2 + 1)
  const world = openWorld(seed, climateOf(chance))
  const { clock, weather, hosts, checks, trace, settle } = world
  const asks: Array<Promise<void>> = []
  for (const host of hosts) start(world, host)
  for (let turn = 0; turn < turns && trace.violations.length === 0; turn += 1) {
    takeTurn(world, asks)
    await clock.advance(weather.between(0, turnMsMax), settle)
  }
  weather.calm()
  await clock.advance(calmMs, settle)
  for (const { name, repository } of hosts) checks.atRest(name, repository.head)
  for (const { running } of hosts) running?.tree.close()
  return {
    seed,
    violations: trace.violations,
    tail: trace.tail(tailLines),
    hash: trace.hash(),
    events: trace.events(),
    acked: checks.asked.filter(one => one.fate._tag === 'acked').length,
    crashes: hosts.reduce((sum, host) => sum + host.lives - 1, 0),
  }
}
