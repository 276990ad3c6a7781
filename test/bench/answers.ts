import { rawGet, startBare } from './bare.js'
import type { BenchDaemon } from './daemon.js'
import { type Figure, figureAtLeast, figureWithoutBar } from './figure.js'
import { compareRates, type RateTarget } from './rates.js'

const gzip = { 'accept-encoding': 'gzip' }

const path = (url: string): string => new URL(url).pathname

/** How answers of a node compare with a bare restify route that sends the same bytes, in one run. */
export const answerFigures = async (
  daemon: BenchDaemon,
  folder: string,
  entity: string,
  rounds: number,
): Promise<ReadonlyArray<Figure>> => {
  const one = `${daemon.url}/entities/${encodeURIComponent(entity)}`
  const whole = `${daemon.url}/entities`
  const oneAnswer = await rawGet(one, daemon.headers)
  const wholeAnswer = await rawGet(whole, { ...daemon.headers, ...gzip })
  if (oneAnswer.status !== 200 || wholeAnswer.headers['content-encoding'] !== 'gzip')
    throw new Error(`no answers to compare: ${oneAnswer.status}, ${wholeAnswer.status}`)
  const bare = await startBare(
    folder,
    new Map([
      [path(one), oneAnswer],
      [path(whole), wholeAnswer],
    ]),
  )
  const ours = (
    url: string,
    headers: RateTarget['headers'] = {},
    status: RateTarget['status'] = 200,
  ): RateTarget => ({
    url,
    headers: { ...daemon.headers, ...headers },
    status,
  })
  const theirs = (url: string): RateTarget => ({
    url: bare.url(path(url)),
    headers: daemon.headers,
    status: 200,
  })
  try {
    const single = await compareRates(ours(one), theirs(one), rounds, 1)
    const corpus = await compareRates(ours(whole, gzip), theirs(whole), rounds, 1)
    const known = { ...gzip, 'if-none-match': wholeAnswer.headers['etag'] ?? '' }
    const unchanged = await compareRates(ours(whole, known, 304), ours(one), rounds, 1)
    const note = (rates: typeof single): string =>
      `${Math.round(rates.left)} against ${Math.round(rates.right)} requests/s`
    return [
      figureAtLeast('GET /entities/{name} against bare restify', 'x', 0.75, single.ratios, note(single)),
      figureAtLeast('GET /entities, gzip, against bare restify', 'x', 0.8, corpus.ratios, note(corpus)),
      figureAtLeast(
        '304 of the corpus against a 200 of one entity',
        'x',
        0.8,
        unchanged.ratios,
        note(unchanged),
      ),
      figureWithoutBar('GET /entities, bytes sent', 'KB', wholeAnswer.body.length / 1024),
    ]
  } finally {
    await bare.stop()
  }
}

/**
 * How the rows that are read from a committed file of the daemon, or from what it has in memory beside the lore,
 * compare with an ordinary replica read.
 */
export const fileReadFigures = async (
  { url, headers }: BenchDaemon,
  rounds: number,
): Promise<ReadonlyArray<Figure>> => {
  const target = (row: string): RateTarget => ({ url: `${url}${row}`, headers, status: 200 })
  const figures: Array<Figure> = []
  for (const row of ['/config/schedules', '/governance/permissions', '/fleet/monitor', '/derived']) {
    const { left, right, ratios } = await compareRates(target(row), target('/people/channels'), rounds, 1)
    const note = `${Math.round(left)} against ${Math.round(right)} requests/s`
    figures.push(figureAtLeast(`GET ${row} against GET /people/channels`, 'x', 0.8, ratios, note))
  }
  return figures
}
