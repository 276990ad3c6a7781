import { parseArgs } from 'node:util'
import { runRecorded } from './recording/run-recorded.js'
import type { SimulationOutcome } from './simulate.js'
import type { Mark } from './trace.js'
import { findWorlds, type SimWorld } from './worlds.js'

/**
 * `npm run simulate [-- --seeds 10000 --first 1 --seed 17 --only fleet]`: three worlds of each seed, over the real actors
 * on virtual time. `gate`: three hosts and 20 s of writes, crashes, full disks and cut links. `fleet`: 3 to 9 hosts and two
 * hours of takeovers, partitions and clocks that are wrong. `chat`: two hosts, the worker and the platform of the chat
 * for three quarters of an hour, in some seeds a day later too. Stops at the first seed that breaks what must hold and
 * prints its trace; `--seed` runs one. Leaves with 1 when anything is wrong.
 *
 * `--seed 17 --only fleet --trace FILE` writes the events of a seed, and `--trace FILE` alone runs that seed again and
 * shows the first event that differs. `--picture FILE` draws the run of a fleet; `-` is standard output.
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    only: { type: 'string' },
    trace: { type: 'string' },
    picture: { type: 'string' },
  },
})

const first = Number(values.seed ?? values.first)
const seeds = values.seed === undefined ? Number(values.seeds) : 1
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const chosen = findWorlds(values.only)
const only = values.only === undefined ? '' : ` --only ${values.only}`
const reportFailure = ({ seed, violations, tail }: SimulationOutcome): void => {
  say([...tail, '', ...violations.slice(0, 5), `npm run simulate -- --seed ${seed}${only}`].join('\n'))
  process.exitCode = 1
}

/** Each fiftieth seed runs twice: two ways of one seed mean that something beside the seed has a say. */
const twiceEvery = 50
const isTwofold = async ({ simulate: run }: SimWorld, { seed, hash }: SimulationOutcome): Promise<boolean> =>
  seed % twiceEvery === 0 && (await run(seed)).hash !== hash

const startedMs = performance.now()
const sum = { events: 0, acked: 0, crashes: 0, jobs: 0, converges: 0, parked: 0 }
const seen = new Map<Mark, number>(chosen.flatMap(world => world.marks.map(mark => [mark, 0] as const)))
let done = 0

/** Runs a world of a seed; whether all that must hold held. */
const runWorld = async (world: SimWorld, seed: number): Promise<boolean> => {
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

const runSeeds = async (): Promise<void> => {
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
}

const { trace, picture } = values
if (trace === undefined && picture === undefined) await runSeeds()
else {
  const seed = values.seed === undefined ? null : Number(values.seed)
  if (!(await runRecorded({ only: values.only, seed, trace, picture }, say))) process.exitCode = 1
}
