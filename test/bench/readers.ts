import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import { healthTimesDuring, healthTimesFor, rawGet } from './client.js'
import { type BenchDaemon, withDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, median, percentile } from './figure.js'
import { setServerKeys } from './worlds.js'

const rounds = 7
const roundSeconds = 2.5
const aloneMs = 1000
const connections = 8
const dayMs = 86_400_000

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

/** A process of its own reads whole corpora as fast as it can. */
const load = (daemon: BenchDaemon, round: number): PromiseLike<autocannon.Result> => {
  const { origin, pathname } = new URL(daemon.url)
  return autocannon({
    url: origin,
    connections,
    duration: roundSeconds,
    workers: 1,
    headers: { ...daemon.headers, 'accept-encoding': 'gzip' },
    requests: paths(round).map(path => ({ path: `${pathname}${path}` })),
  })
}

const measureRound = async (daemon: BenchDaemon, round: number): Promise<Round> => {
  const alone = await healthTimesFor(daemon, aloneMs)
  const loading = Promise.resolve(load(daemon, round))
  const beside = await healthTimesDuring(daemon, loading)
  const result = await loading
  return {
    aloneMs: percentile(alone, 0.99),
    besideMs: percentile(beside, 0.99),
    perSecond: result['2xx'] / result.duration,
    refused: result.non2xx + result.errors,
  }
}

/** How `GET /health` fares while one reader thread has all that it can do (N2 "Speed"), at scale 1 and 10. */
export const readerFigures = async (
  folder: string,
  one: string,
  ten: string,
): Promise<ReadonlyArray<Figure>> => [
  ...(await readersAt(folder, one, 1)),
  ...(await readersAt(folder, ten, 10)),
]

const readersAt = async (folder: string, repo: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  await setServerKeys(repo, { reader_threads: 1 })
  const seen = await withDaemon(folder, { repo }, async daemon => {
    await live(daemon)
    const measured: Array<Round> = []
    for (let round = 0; round <= rounds; round += 1) measured.push(await measureRound(daemon, round))
    // The first round warms the node up.
    return measured.slice(1)
  }).finally(() => setServerKeys(repo, { reader_threads: null }))
  const of = (key: keyof Round): ReadonlyArray<number> => seen.map(each => each[key])
  const refused = seen.reduce((sum, each) => sum + each.refused, 0)
  return [
    figureAtMost(
      `GET /health beside whole-corpus reads, one reader thread, scale ${scale}, p99`,
      'ms',
      8,
      of('besideMs'),
      `with nobody else ${median(of('aloneMs')).toFixed(1)} ms`,
    ),
    figureWithoutBar(
      `whole-corpus reads beside it, scale ${scale}`,
      'answers/s',
      of('perSecond'),
      `${refused} refused`,
    ),
  ]
}
