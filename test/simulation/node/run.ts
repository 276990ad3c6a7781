import { parseArgs } from 'node:util'
import { type SimulationOutcome, simulate } from './simulate.js'
import { type Mark, marks } from './trace.js'

/**
 * `npm run simulate [-- --seeds 10000 --first 1 --seed 17]`: fleets of three hosts over the real actors, on virtual time,
 * with crashes, full disks and cut links. Stops at the first seed that breaks what must hold and prints its trace;
 * `--seed` replays one. Leaves with 1 when anything is wrong.
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
})

const first = Number(values.seed ?? values.first)
const seeds = values.seed === undefined ? Number(values.seeds) : 1
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const reportFailure = ({ seed, violations, tail }: SimulationOutcome): void => {
  say([...tail, '', ...violations.slice(0, 5), `npm run simulate -- --seed ${seed}`].join('\n'))
  process.exitCode = 1
}

/** Each fiftieth seed runs twice: two ways of one seed mean that something beside the seed has a say. */
const twiceEvery = 50
const isTwofold = async (seed: number, hash: string): Promise<boolean> =>
  seed % twiceEvery === 0 && (await simulate(seed)).hash !== hash

const startedMs = performance.now()
const sum = { events: 0, acked: 0, crashes: 0, jobs: 0, converges: 0, parked: 0 }
const seen = new Map<Mark, number>(marks.map(mark => [mark, 0]))
let done = 0
for (let seed = first; seed < first + seeds; seed += 1) {
  const outcome = await simulate(seed)
  sum.events += outcome.events
  sum.acked += outcome.acked
  sum.crashes += outcome.crashes
  sum.jobs += outcome.jobs
  sum.converges += outcome.converges
  sum.parked += outcome.parked
  for (const mark of outcome.marks) seen.set(mark, (seen.get(mark) ?? 0) + 1)
  done += 1
  if (outcome.violations.length > 0) {
    reportFailure(outcome)
    break
  }
  if (await isTwofold(seed, outcome.hash)) {
    reportFailure({ ...outcome, violations: [`seed ${seed} took two ways`] })
    break
  }
}
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
say(
  `${done} seeds in ${seconds} s: ${sum.events} events, ${sum.acked} acknowledged writes, ${sum.jobs} jobs, ` +
    `${sum.converges} converges, ${sum.parked} parked refs, ${sum.crashes} crashes`,
)
if (seeds > 1) for (const [mark, count] of seen) say(`${String(count).padStart(6)} seeds: ${mark}`)
