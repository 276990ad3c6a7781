import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { healthTimesDuring, healthTimesFor } from './client.js'
import { type BenchDaemon, memoryMb, withDaemon } from './daemon.js'
import {
  type Figure,
  figureAtLeast,
  figureAtMost,
  inPairs,
  median,
  percentile,
  ratiosOf,
  worstOf,
} from './figure.js'
import { findTexts, rebuildAll, tierStates, waitForTiers } from './search-client.js'
import { aSessionFile, commitAll, seldomMs, setServerKeys } from './worlds.js'

const proseTiers = ['lore', 'session', 'external']
const boots = 3
const changes = 9
const rebuilds = 3
const idleMs = 2000
/** A node that has just started still frees what it needed to start. */
const settleMs = 1000

const liveTiers = async (daemon: BenchDaemon): Promise<number> =>
  (await tierStates(daemon)).filter(({ tier, state }) => proseTiers.includes(tier) && state === 'live').length

/** The highest resident memory while `work` runs. */
const highestMbDuring = async (daemon: BenchDaemon, work: Promise<unknown>): Promise<number> => {
  let [highest, isOver] = [0, false]
  const sample = async (): Promise<void> => {
    do {
      highest = Math.max(highest, (await memoryMb(daemon.pid, 'VmRSS')) ?? Number.NaN)
      await pause(20)
    } while (!isOver)
  }
  const ended = work.finally(() => {
    isOver = true
  })
  await Promise.all([sample(), ended])
  return highest
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

interface Boot {
  readonly readyMs: number
  readonly rssMb: number
  readonly tiersLive: number
  /** From the ready line to the last index. */
  readonly lateMs: number
}

const restMb = async (daemon: BenchDaemon): Promise<number> => {
  await healthTimesFor(daemon, settleMs)
  return (await memoryMb(daemon.pid, 'VmRSS')) ?? Number.NaN
}

const bootWithout = async (folder: string, repo: string): Promise<Boot> => {
  await setServerKeys(repo, { search_index: null, selfheal_interval_ms: seldomMs })
  return withDaemon(folder, { repo }, async daemon => ({
    readyMs: daemon.readyMs,
    rssMb: await restMb(daemon),
    tiersLive: 0,
    lateMs: 0,
  }))
}

const setSearch = (repo: string): Promise<void> =>
  setServerKeys(repo, { search_index: 'all', selfheal_interval_ms: 0 })

const bootWithIndexes = async (folder: string, repo: string, state: string): Promise<Boot> => {
  await setSearch(repo)
  return withDaemon(folder, { repo, state }, async daemon => {
    const readyAtMs = performance.now()
    const tiersLive = await liveTiers(daemon)
    await waitForTiers(daemon, proseTiers)
    const lateMs = performance.now() - readyAtMs
    return { readyMs: daemon.readyMs, rssMb: await restMb(daemon), tiersLive, lateMs }
  })
}

/** What a node does that has its indexes: changes that are found, and indexes that are built anew beside other requests. */
const measureLive = async (daemon: BenchDaemon, repo: string) => {
  await waitForTiers(daemon, proseTiers)
  const found: Array<number> = []
  for (let turn = 0; turn < changes; turn += 1) found.push(await timeToFind(daemon, repo, turn))
  const health: Array<readonly [busyMs: number, idleMs: number]> = []
  const highest: Array<number> = []
  for (let round = 0; round < rebuilds; round += 1) {
    const idle = await healthTimesFor(daemon, idleMs)
    const building = rebuildAll(daemon)
    const [busy, mb] = await Promise.all([
      healthTimesDuring(daemon, building),
      highestMbDuring(daemon, building),
    ])
    health.push([percentile(busy, 0.99), percentile(idle, 0.99)])
    highest.push(mb)
  }
  return { found, health, highest }
}

/** What the indexes of a world of scale 10 cost: the boot, memory, other requests, and the time to find a change. */
export const searchBootFigures = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  const state = await mkdtemp(join(folder, 'state-'))
  // Builds and saves the indexes.
  await bootWithIndexes(folder, repo, state)
  const pairs = await inPairs(
    boots,
    () => bootWithIndexes(folder, repo, state),
    () => bootWithout(folder, repo),
  )
  await setSearch(repo)
  const { found, health, highest } = await withDaemon(folder, { repo, state }, daemon =>
    measureLive(daemon, repo),
  )
  const more = (key: 'readyMs' | 'rssMb'): ReadonlyArray<number> =>
    pairs.map(([indexed, without]) => indexed[key] - without[key])
  const withoutMb = median(pairs.map(([, without]) => without.rssMb))
  const middle = (side: 0 | 1): string => median(health.map(pair => pair[side])).toFixed(2)
  return [
    figureAtLeast(
      'tiers with an index at the ready line, scale 10',
      'tiers',
      proseTiers.length,
      Math.min(...pairs.map(([{ tiersLive }]) => tiersLive)),
      `last index ${Math.max(...pairs.map(([{ lateMs }]) => lateMs)).toFixed(0)} ms after it`,
    ),
    figureAtMost('ready line with saved indexes, later than without', 'ms', 2000, more('readyMs')),
    figureAtMost(
      'a changed session found, scale 10',
      'ms',
      1000,
      worstOf(found),
      `median ${median(found).toFixed(0)} ms`,
    ),
    figureAtMost('resident memory of search, scale 10', 'MB', 400, more('rssMb')),
    figureAtMost(
      'highest while every tier is built anew',
      'MB',
      650,
      worstOf(highest.map(mb => mb - withoutMb)),
    ),
    figureAtMost(
      '/health p99 while tiers build, against idle',
      'x',
      2,
      ratiosOf(health),
      `idle ${middle(1)} ms, building ${middle(0)} ms`,
    ),
  ]
}
