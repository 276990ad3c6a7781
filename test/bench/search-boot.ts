import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BenchDaemon, memoryMb, startBenchDaemon } from './daemon.js'
import { type Figure, figureAtLeast, figureAtMost, median } from './figure.js'
import { healthTimes, healthTimesFor } from './health-times.js'
import { percentile } from './percentile.js'
import { findTexts, rebuildAll, tierStates, waitForTiers } from './search-client.js'
import { commitAll, setServerKeys } from './server-keys.js'

const proseTiers = ['lore', 'session', 'external']
const boots = 3
const changes = 9
const healthMs = 4000

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

const liveTiers = async (daemon: BenchDaemon): Promise<number> =>
  (await tierStates(daemon)).filter(({ tier, state }) => proseTiers.includes(tier) && state === 'live').length

/** Samples resident memory until `over`; returns the highest. */
const highestMb = async (daemon: BenchDaemon, over: Promise<unknown>): Promise<number> => {
  let [highest, isOver] = [0, false]
  void over.finally(() => {
    isOver = true
  })
  do {
    highest = Math.max(highest, (await memoryMb(daemon.pid, 'VmRSS')) ?? 0)
    await pause(20)
  } while (!isOver)
  return highest
}

const aSessionFile = async (repo: string): Promise<string> => {
  const folder = join(repo, 'Wątki')
  const [cycle = ''] = (await readdir(folder)).sort()
  const [file = ''] = (await readdir(join(folder, cycle))).sort()
  return join(folder, cycle, file)
}

/** Milliseconds from a commit to the first answer that finds a word of it. */
const timeToFind = async (daemon: BenchDaemon, repo: string, turn: number): Promise<number> => {
  const file = await aSessionFile(repo)
  const word = `zmierzchnica${'abcdefghij'.charAt(turn)}`
  const text = await readFile(file, 'utf8')
  await writeFile(file, `${text}\nW trawie leżała ${word}.\n`)
  await commitAll(repo, `pomiar: ${word}`)
  const startedMs = performance.now()
  while (performance.now() - startedMs < 30_000) {
    const found = await findTexts(daemon, { q: word, scope: 'session' })
    if (found.length > 0) return performance.now() - startedMs
    await pause(5)
  }
  throw new Error(`${word} was not found`)
}

interface BootWithIndex {
  readonly readyMs: number
  readonly tiersLive: number
  /** From the ready line to the last index. */
  readonly lateMs: number
}

const bootWithIndexes = async (repo: string, state: string): Promise<BootWithIndex> => {
  const daemon = await startBenchDaemon({ repo, state })
  try {
    const readyAtMs = performance.now()
    const tiersLive = await liveTiers(daemon)
    await waitForTiers(daemon, proseTiers)
    return { readyMs: daemon.readyMs, tiersLive, lateMs: performance.now() - readyAtMs }
  } finally {
    await daemon.stop()
  }
}

/** What a node without search needs: the median time to its ready line, and its memory. */
const measureWithout = async (folder: string, repo: string) => {
  const seen: Array<{ readonly readyMs: number; readonly rssMb: number }> = []
  for (let turn = 0; turn < boots; turn += 1) {
    const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
    try {
      await healthTimesFor(daemon, 1000)
      seen.push({ readyMs: daemon.readyMs, rssMb: (await memoryMb(daemon.pid, 'VmRSS')) ?? Number.NaN })
    } finally {
      await daemon.stop()
    }
  }
  return { readyMs: median(seen.map(one => one.readyMs)), rssMb: median(seen.map(one => one.rssMb)) }
}

/** What the indexes of a world of scale 10 cost: the boot, memory, other requests, and the time to find a change. */
export const searchBootFigures = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  const without = await measureWithout(folder, repo)
  await setServerKeys(repo, { search_index: 'all', selfheal_interval_ms: 0 })
  const state = await mkdtemp(join(folder, 'state-'))
  const first = await startBenchDaemon({ repo, state })
  await waitForTiers(first, proseTiers).finally(() => first.stop())
  const again: Array<BootWithIndex> = []
  for (let turn = 0; turn < boots; turn += 1) again.push(await bootWithIndexes(repo, state))
  const daemon = await startBenchDaemon({ repo, state })
  try {
    await waitForTiers(daemon, proseTiers)
    const idle = await healthTimesFor(daemon, healthMs)
    const rssMb = (await memoryMb(daemon.pid, 'VmRSS')) ?? Number.NaN
    const found: Array<number> = []
    for (let turn = 0; turn < changes; turn += 1) found.push(await timeToFind(daemon, repo, turn))
    let isBuilding = true
    const building = rebuildAll(daemon).finally(() => {
      isBuilding = false
    })
    const [busy, highest] = await Promise.all([
      healthTimes(daemon, () => isBuilding),
      highestMb(daemon, building),
      building,
    ])
    const ready = median(again.map(({ readyMs }) => readyMs))
    const [idleP99, busyP99] = [percentile(idle, 0.99), percentile(busy, 0.99)]
    return [
      figureAtLeast(
        'tiers with an index at the ready line, scale 10',
        'tiers',
        proseTiers.length,
        Math.min(...again.map(({ tiersLive }) => tiersLive)),
        `last index ${Math.max(...again.map(({ lateMs }) => lateMs)).toFixed(0)} ms after it`,
      ),
      figureAtMost('ready line with saved indexes, later than without', 'ms', 2000, ready - without.readyMs),
      figureAtMost(
        'a changed session found, scale 10',
        'ms',
        1000,
        Math.max(...found),
        `median ${median(found).toFixed(0)} ms`,
      ),
      figureAtMost('resident memory of search, scale 10', 'MB', 400, rssMb - without.rssMb),
      figureAtMost('highest while every tier is built anew', 'MB', 650, highest - without.rssMb),
      figureAtMost(
        '/health p99 while tiers build, against idle',
        'x',
        2,
        busyP99 / idleP99,
        `idle ${idleP99.toFixed(2)} ms, building ${busyP99.toFixed(2)} ms`,
      ),
    ]
  } finally {
    await daemon.stop()
  }
}
