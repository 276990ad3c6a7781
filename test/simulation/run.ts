import { parseArgs } from 'node:util'

/**
 * `npm run simulate [-- --only gate|fleet|chat|suspicion --seeds 10000 --first 1 --seed 17 --trace FILE --picture FILE]`:
 * `node/run.ts` runs whole hosts.
 * `suspicion` runs fleets whose apex lives, over bad links, where no host may ask for a takeover.
 */

const { values } = parseArgs({
  strict: false,
  options: {
    only: { type: 'string' },
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)

if (values.only === 'suspicion') {
  const { runSuspicions } = await import('./suspicion/run-suspicion.js')
  const seeds = values.seed === undefined ? Number(values.seeds) : 1
  if (!(await runSuspicions(Number(values.seed ?? values.first), seeds, say))) process.exitCode = 1
} else await import('./node/run.js')
