import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { gitText } from '#src/adapters/git/git-command.js'
import { rawGet } from './bare.js'
import { type BenchDaemon, startBenchDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, median } from './figure.js'
import { percentile } from './percentile.js'

const rounds = 5
const roundSeconds = 2
const aloneSeconds = 1
const warmUpSeconds = 1
const connections = 8
const betweenMs = 5
const dayMs = 86_400_000

const pause = (ms: number): Promise<false> => new Promise(resolve => setTimeout(resolve, ms, false))

/** Makes the node of a world answer pooled rows on one thread, and look at HEAD seldom. */
const withOneReader = async (repo: string): Promise<void> => {
  const path = join(repo, '.svc/config.json')
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replace(/"selfheal_interval_ms": \d+/u, '"reader_threads": 1, "selfheal_interval_ms": 600000'),
  )
  const author = ['-c', 'user.name=Pomiar', '-c', 'user.email=pomiar@example.org']
  await gitText([...author, 'commit', '--quiet', '--all', '-m', 'pomiar: jeden wątek'], { cwd: repo })
}

const live = async (daemon: BenchDaemon): Promise<void> => {
  for (const endMs = performance.now() + 60_000; performance.now() < endMs; ) {
    const { body } = await rawGet(`${daemon.url}/health`, daemon.headers)
    if (body.includes('"readersLive":1')) return
    await pause(50)
  }
  throw new Error('no reader thread became live')
}

/** Reads of the whole corpus: every second one as of a day that nobody asked for, so that none is kept. */
const paths = (round: number): ReadonlyArray<string> =>
  Array.from({ length: 4_000 }, (_, at) => {
    const day = new Date(Date.UTC(1950 + 10 * round) + at * dayMs).toISOString().slice(0, 10)
    return at % 4 === 0 ? '/entities' : at % 4 === 2 ? '/sessions' : `/entities?activeOn=${day}`
  })

interface Round {
  /** The 99th percentile of `GET /health` with nobody else, then beside the load. */
  readonly aloneMs: number
  readonly besideMs: number
  readonly perSecond: number
  readonly refused: number
}

/** Asks `GET /health` again and again until `over`; answers the 99th percentile. */
const healthMs = async (daemon: BenchDaemon, over: Promise<unknown>): Promise<number> => {
  const seen: Array<number> = []
  const ended = over.then(() => true)
  do {
    const startedMs = performance.now()
    await rawGet(`${daemon.url}/health`, daemon.headers)
    seen.push(performance.now() - startedMs)
  } while (!(await Promise.race([ended, pause(betweenMs)])))
  return percentile(seen, 0.99)
}

/** A process of its own reads whole corpora as fast as it can. */
const load = (daemon: BenchDaemon, round: number, seconds: number): PromiseLike<autocannon.Result> => {
  const { origin, pathname } = new URL(daemon.url)
  return autocannon({
    url: origin,
    connections,
    duration: seconds,
    workers: 1,
    headers: { ...daemon.headers, 'accept-encoding': 'gzip' },
    requests: paths(round).map(path => ({ path: `${pathname}${path}` })),
  })
}

const measureRound = async (daemon: BenchDaemon, round: number): Promise<Round> => {
  const aloneMs = await healthMs(daemon, pause(aloneSeconds * 1000))
  const loading = Promise.resolve(load(daemon, round, roundSeconds))
  const besideMs = await healthMs(daemon, loading)
  const result = await loading
  return {
    aloneMs,
    besideMs,
    perSecond: result['2xx'] / result.duration,
    refused: result.non2xx + result.errors,
  }
}

/** A round on a node of its own: what differs from start to start is a part of the spread. */
const startAndMeasure = async (folder: string, repo: string, round: number): Promise<Round> => {
  const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
  try {
    await live(daemon)
    await load(daemon, 0, warmUpSeconds)
    return await measureRound(daemon, round)
  } finally {
    await daemon.stop()
  }
}

/** How `GET /health` fares while one reader thread has all that it can do (N2 "Speed"). */
export const readerFigures = async (
  folder: string,
  repo: string,
  scale: number,
): Promise<ReadonlyArray<Figure>> => {
  await withOneReader(repo)
  const seen: Array<Round> = []
  for (let round = 1; round <= rounds; round += 1) seen.push(await startAndMeasure(folder, repo, round))
  const middle = (key: keyof Round): number => median(seen.map(one => one[key]))
  const refused = seen.reduce((sum, one) => sum + one.refused, 0)
  return [
    figureAtMost(
      `GET /health beside whole-corpus reads, one reader thread, scale ${scale}, p99`,
      'ms',
      8,
      seen.map(one => one.besideMs),
      `with nobody else ${middle('aloneMs').toFixed(1)} ms`,
    ),
    figureWithoutBar(
      `whole-corpus reads beside it, scale ${scale}`,
      'answers/s',
      seen.map(one => one.perSecond),
      `${refused} refused`,
    ),
  ]
}
