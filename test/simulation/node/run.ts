import { parseArgs } from 'node:util'
import { chatMarks } from '../chat/chat-marks.js'
import { simulateChat } from '../chat/simulate-chat.js'
import { simulateFleet } from './fleet/simulate-fleet.js'
import { type SimulationOutcome, simulate } from './simulate.js'
import { fleetMarks, type Mark, marks } from './trace.js'

/**
 * `npm run simulate [-- --seeds 10000 --first 1 --seed 17 --only fleet]`: three worlds of each seed, over the real actors
 * on virtual time. `gate`: three hosts and 20 s of writes, crashes, full disks and cut links. `fleet`: 3 to 9 hosts and two
 * hours of takeovers, partitions and clocks that are wrong. `chat`: two hosts, the worker and the platform of the chat for
 * three quarters of an hour, in some seeds a day later too. Stops at the first seed that breaks what must hold and
 * prints its trace; `--seed` replays one. Leaves with 1 when anything is wrong.
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
})

const first = Number(values.seed ?? values.first)
const seeds = values.seed === undefined ? Number(values.seeds) : 1
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const worlds = [
  { name: 'gate', simulate, marks },
  { name: 'fleet', simulate: simulateFleet, marks: fleetMarks },
  { name: 'chat', simulate: simulateChat, marks: chatMarks },
] as const
type World = (typeof worlds)[number]
const chosen = worlds.filter(({ name }) => values.only === undefined || values.only === name)
if (chosen.length === 0) throw new Error(`--only is one of ${worlds.map(({ name }) => name).join(', ')}`)

const only = values.only === undefined ? '' : ` --only ${values.only}`
const reportFailure = ({ seed, violations, tail }: SimulationOutcome): void => {
  say([...tail, '', ...violations.slice(0, 5), `npm run simulate -- --seed ${seed}${only}`].join('\n'))
  process.exitCode = 1
}

/** Each fiftieth seed runs twice: two ways of one seed mean that something beside the seed has a say. */
const twiceEvery = 50
const isTwofold = async ({ simulate: run }: World, { seed, hash }: SimulationOutcome): Promise<boolean> =>
  seed % twiceEvery === 0 && (await run(seed)).hash !== hash

const startedMs = performance.now()
const sum = { events: 0, acked: 0, crashes: 0, jobs: 0, converges: 0, parked: 0 }
const seen = new Map<Mark, number>(chosen.flatMap(world => world.marks.map(mark => [mark, 0] as const)))
let done = 0

/** Runs a world of a seed; whether all that must hold held. */
const runWorld = async (world: World, seed: number): Promise<boolean> => {
  const outcome = await world.simulate(seed)
  sum.events += outcome.events
  sum.acked += outcome.acked
  sum.crashes += outcome.crashes
  sum.jobs += outcome.jobs
  sum.converges += outcome.converges
  sum.parked += outcome.parked
  for (const mark of world.marks) if (outcome.marks.has(mark)) seen.set(mark, (seen.get(mark) ?? 0) + 1)
  if (outcome.violations.length > 0) {
    reportFailure(outcome)
    return false
  }
  if (!(await isTwofold(world, outcome))) return true
  reportFailure({ ...outcome, violations: [`seed ${seed} took two ways`] })
  return false
}

const runSeed = async (seed: number): Promise<boolean> => {
  for (const world of chosen) if (!(await runWorld(world, seed))) return false
  return true
}

for (let seed = first; seed < first + seeds; seed += 1) {
  const isSound = await runSeed(seed)
  done += 1
  if (!isSound) break
}
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
say(
  `${done} seeds in ${seconds} s: ${sum.events} events, ${sum.acked} acknowledged writes, ${sum.jobs} jobs, ` +
    `${sum.converges} converges, ${sum.parked} parked refs, ${sum.crashes} crashes`,
)
if (seeds > 1) for (const [mark, count] of seen) say(`${String(count).padStart(6)} seeds: ${mark}`)
