import { rawGet, startBare } from './bare.js'
import type { Daemon } from './daemon.js'
import { type Figure, least, shown } from './figure.js'
import { compare, type Target } from './rates.js'

const gzip = { 'accept-encoding': 'gzip' }

const path = (url: string): string => new URL(url).pathname

/** How answers of a node compare with a bare restify route that sends the same bytes, in one run. */
export const answerFigures = async (
  daemon: Daemon,
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
  const ours = (url: string, headers: Target['headers'] = {}, status: Target['status'] = 200): Target => ({
    url,
    headers: { ...daemon.headers, ...headers },
    status,
  })
  const theirs = (url: string): Target => ({ url: bare.url(path(url)), headers: daemon.headers, status: 200 })
  try {
    const single = await compare(ours(one), theirs(one), rounds, 2)
    const corpus = await compare(ours(whole, gzip), theirs(whole), rounds, 2)
    const known = { ...gzip, 'if-none-match': wholeAnswer.headers['etag'] ?? '' }
    const unchanged = await compare(ours(whole, known, 304), ours(one), rounds, 2)
    const note = (rates: typeof single): string =>
      `${Math.round(rates.left)} against ${Math.round(rates.right)} requests/s`
    return [
      least('GET /entities/{name} against bare restify', 'x', 0.75, single.ratio, note(single)),
      least('GET /entities, gzip, against bare restify', 'x', 0.8, corpus.ratio, note(corpus)),
      least('304 of the corpus against a 200 of one entity', 'x', 0.8, unchanged.ratio, note(unchanged)),
      shown('GET /entities, bytes sent', 'KB', wholeAnswer.body.length / 1024),
    ]
  } finally {
    await bare.stop()
  }
}
