import type { Route } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { rawGet } from './client.js'
import { type BenchDaemon, processorMs, withDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, median, p99Of } from './figure.js'
import { oneByOne } from './one-by-one.js'

const warmUps = 50
const rounds = 5
const scrapesInRound = 150
const bytesPerKb = 1_000

/** Asks each read row once, with a name that no world has: a series of a row begins at its first use. */
const useEveryRow = async ({ url, headers }: BenchDaemon): Promise<number> => {
  const rows = Object.values<Route>(routes).filter(
    ({ method, media }) => method === 'GET' && media !== 'text/event-stream',
  )
  for (const { path } of rows) await rawGet(`${url}${path.replace(/\{\w+\}/gu, 'nikt')}`, headers)
  return rows.length
}

/** What a scrape of Prometheus costs a node that has used all its read rows, and answers one between two scrapes. */
export const scrapeFigures = (folder: string, repo: string): Promise<ReadonlyArray<Figure>> =>
  withDaemon(folder, { repo }, measureScrapes)

const measureScrapes = async (daemon: BenchDaemon): Promise<ReadonlyArray<Figure>> => {
  const rows = await useEveryRow(daemon)
  const url = `${daemon.ops}/metrics`
  const { body } = await rawGet(url, {})
  const asker = oneByOne(url)
  try {
    const times: Array<Array<number>> = []
    for (let at = 0; at < warmUps; at += 1) await asker.ask({})
    const beforeMs = (await processorMs(daemon.pid)) ?? Number.NaN
    for (let round = 0; round < rounds; round += 1) {
      const seen: Array<number> = []
      for (let at = 0; at < scrapesInRound; at += 1) {
        await rawGet(`${daemon.url}/fleet/status`, daemon.headers)
        seen.push(await asker.ask({}))
      }
      times.push(seen)
    }
    const usedMs = ((await processorMs(daemon.pid)) ?? Number.NaN) - beforeMs
    const series = body
      .toString('utf8')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#')).length
    return [
      figureAtMost(
        'scrape of /metrics, p99',
        'ms',
        15,
        p99Of(times),
        `median ${median(times.flat()).toFixed(1)} ms`,
      ),
      figureAtMost(
        'size of /metrics',
        'kB',
        200,
        body.length / bytesPerKb,
        `${series} series, ${rows} read rows used`,
      ),
      figureWithoutBar(
        'processor time of a scrape and a read',
        'ms of processor',
        usedMs / (rounds * scrapesInRound),
      ),
    ]
  } finally {
    asker.close()
  }
}
