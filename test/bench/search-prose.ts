import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import makeWink from 'wink-bm25-text-search'
import { chanceOf } from '#src/demo/chance.js'
import { demoWorld } from '#src/demo/world.js'
import { reduceWord } from '#src/domain/search/reduce-word.js'
import { rawGet } from './bare.js'
import { type BenchDaemon, processorMs, startBenchDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, median } from './figure.js'
import { percentile } from './percentile.js'
import { waitForTiers } from './search-client.js'
import { drawQueries, rankWords } from './search-texts.js'

/** The world of this scale has 5,000 sessions. */
export const proseScale = 5
const queriesAsked = 900
const queriesOfWarmUp = 150
const hitsMax = 20

const sessionTextsOf = (): ReadonlyArray<string> => {
  const { commits } = demoWorld({ seed: 'pomiar', scale: proseScale })
  const files = new Map(
    commits.flatMap(({ changes }) => changes.map(({ path, text }) => [path, text] as const)),
  )
  return [...files]
    .filter(([path]) => path.startsWith('Wątki/'))
    .flatMap(([, text]) => text.split(/^(?=### )/mu).slice(1))
}

const splitWords = (text: string): ReadonlyArray<string> =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(reduceWord)

interface QueryTimes {
  /** Milliseconds of each query, those of the warm-up left out. */
  readonly eachMs: ReadonlyArray<number>
  /** Processor time of one query on the mean, the warm-up with it. */
  readonly usedMs: number
}

/** The queries in wink alone, with the same reduction of words. */
const askBareWink = (texts: ReadonlyArray<string>, queries: ReadonlyArray<string>): QueryTimes => {
  const wink = makeWink()
  wink.defineConfig({ fldWeights: { words: 1 }, ovFldNames: ['row'] })
  wink.definePrepTasks([splitWords])
  for (const [row, words] of texts.entries()) wink.addDoc({ words, row }, row)
  wink.consolidate(4)
  const before = process.cpuUsage()
  const times = queries.map(query => {
    const startedMs = performance.now()
    wink.search(query, hitsMax, () => true)
    return performance.now() - startedMs
  })
  const { user, system } = process.cpuUsage(before)
  return { eachMs: times.slice(queriesOfWarmUp), usedMs: (user + system) / 1000 / queries.length }
}

const askNode = async (daemon: BenchDaemon, queries: ReadonlyArray<string>): Promise<QueryTimes> => {
  const usedBeforeMs = (await processorMs(daemon.pid)) ?? Number.NaN
  const times: Array<number> = []
  for (const query of queries) {
    const search = new URLSearchParams({ q: query, scope: 'lore,session,external' })
    const startedMs = performance.now()
    const { status } = await rawGet(`${daemon.url}/search?${search.toString()}`, daemon.headers)
    times.push(performance.now() - startedMs)
    if (status !== 200) throw new Error(`/search?q=${query}: ${status}`)
  }
  const usedMs = ((await processorMs(daemon.pid)) ?? Number.NaN) - usedBeforeMs
  return { eachMs: times.slice(queriesOfWarmUp), usedMs: usedMs / queries.length }
}

/** `/search` over prose alone through HTTP, against wink without a node, on the sessions of one world. */
export const proseFigures = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  const texts = sessionTextsOf()
  const queries = drawQueries(rankWords(texts), queriesAsked + queriesOfWarmUp, chanceOf('zapytania'))
  const daemon = await startBenchDaemon({ repo, state: await mkdtemp(join(folder, 'state-')) })
  try {
    await waitForTiers(daemon, ['lore', 'session', 'external'])
    const node = await askNode(daemon, queries)
    const wink = askBareWink(texts, queries)
    const [seen, bare] = [node.eachMs, wink.eachMs]
    const rule = 'one to three words, each of a rank drawn evenly on a logarithmic scale'
    return [
      figureAtMost(
        `/search over the prose of ${texts.length} sessions, p99`,
        'ms',
        8,
        percentile(seen, 0.99),
        rule,
      ),
      figureAtMost(
        '/search over that prose, median beyond that of bare wink',
        'ms',
        2,
        median(seen) - median(bare),
      ),
      figureWithoutBar('/search over that prose, median', 'ms', median(seen)),
      figureWithoutBar(
        'bare wink, median',
        'ms',
        median(bare),
        `p99 ${percentile(bare, 0.99).toFixed(1)} ms`,
      ),
      figureWithoutBar('processor time of /search over that prose', 'ms', node.usedMs, 'all threads'),
      figureWithoutBar('processor time of bare wink', 'ms', wink.usedMs),
    ]
  } finally {
    await daemon.stop()
  }
}
