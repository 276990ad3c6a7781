import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryMb, startBenchDaemon } from '../daemon.js'
import { type Figure, figureAtMost, median } from '../figure.js'
import { healthTimesFor } from '../health-times.js'
import { seedDispatches, seedJournal } from './seed-state.js'

const rounds = 3
const settleMs = 1_000
const journalMib = 100

interface QueuedBoot {
  readonly firstHealthMs: number
  readonly rssMb: number
}

const bootWith = async (
  folder: string,
  repo: string,
  seed: (state: string) => Promise<void> | void,
): Promise<QueuedBoot> => {
  const state = await mkdtemp(join(folder, 'state-'))
  await seed(state)
  const daemon = await startBenchDaemon({ repo, state })
  try {
    await healthTimesFor(daemon, settleMs)
    const rssMb = (await memoryMb(daemon.pid, 'VmRSS')) ?? Number.NaN
    return { firstHealthMs: daemon.firstHealthMs, rssMb }
  } finally {
    await daemon.stop()
  }
}

/** What interactions that wait cost: memory, and the time of a start. */
export const backlogFigures = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  const seeds = [
    () => undefined,
    (state: string) => seedDispatches(state, 10_000),
    (state: string) => seedDispatches(state, 100_000),
    async (state: string) => {
      seedDispatches(state, 10_000)
      await seedJournal(state, journalMib)
    },
  ]
  const seen: ReadonlyArray<Array<QueuedBoot>> = seeds.map(() => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [at, seed] of seeds.entries()) seen[at]?.push(await bootWith(folder, repo, seed))
  const rss = seen.map(boots => median(boots.map(({ rssMb }) => rssMb)))
  const health = seen.map(boots => median(boots.map(({ firstHealthMs }) => firstHealthMs)))
  const [none = Number.NaN, tenThousand = Number.NaN, hundredThousand = Number.NaN] = rss
  return [
    figureAtMost('memory of 10,000 queued interactions', 'MiB', 32, tenThousand - none),
    figureAtMost('memory of 100,000 queued interactions', 'MiB', 32, hundredThousand - none),
    figureAtMost('restart to the first /health', 'ms', 1_500, health[0] ?? null),
    figureAtMost(
      `the same with 10,000 queued interactions and a journal of ${journalMib} MiB`,
      'ms',
      3_000,
      health[3] ?? null,
      `with 100,000 and no journal ${health[2]?.toFixed(0) ?? ''} ms`,
    ),
  ]
}
