import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { healthTimesFor } from '../client.js'
import { memoryMb, withDaemon } from '../daemon.js'
import { type Figure, figureAtMost, median } from '../figure.js'
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
  return withDaemon(folder, { repo, state }, async daemon => {
    await healthTimesFor(daemon, settleMs)
    const rssMb = (await memoryMb(daemon.pid, 'VmRSS')) ?? Number.NaN
    return { firstHealthMs: daemon.firstHealthMs, rssMb }
  })
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
  const of = (at: number, key: keyof QueuedBoot): ReadonlyArray<number> =>
    (seen[at] ?? []).map(each => each[key])
  const more = (at: number): ReadonlyArray<number> =>
    of(at, 'rssMb').map((mib, round) => mib - (of(0, 'rssMb')[round] ?? Number.NaN))
  return [
    figureAtMost('memory of 10,000 queued interactions', 'MiB', 32, more(1)),
    figureAtMost('memory of 100,000 queued interactions', 'MiB', 32, more(2)),
    figureAtMost('restart to the first /health', 'ms', 1_500, of(0, 'firstHealthMs')),
    figureAtMost(
      `the same with 10,000 queued interactions and a journal of ${journalMib} MiB`,
      'ms',
      3_000,
      of(3, 'firstHealthMs'),
      `with 100,000 and no journal ${median(of(2, 'firstHealthMs')).toFixed(0)} ms`,
    ),
  ]
}
