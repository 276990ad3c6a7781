import makeWink from 'wink-bm25-text-search'
import { chanceOf } from '#src/demo/chance.js'
import { demoWorld } from '#src/demo/world.js'
import { reduceWord } from '#src/domain/search/words/reduce-word.js'
import { rawGet } from './client.js'
import { type BenchDaemon, processorMs, withDaemon } from './daemon.js'
import { cutInto, type Figure, figureAtMost, figureWithoutBar, median, p99Of, percentile } from './figure.js'
import { waitForTiers } from './search-client.js'
import { drawQueries, rankWords } from './search-texts.js'
import { seldomMs, setServerKeys, writeWorld } from './worlds.js'

/** The world of this scale has 5,000 sessions. */
const proseScale = 5
const rounds = 6
const queriesInRound = 150
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
  /** Milliseconds of each query. */
  readonly eachMs: ReadonlyArray<number>
  /** Processor time of one query on the mean. */
  readonly usedMs: number
}

/** wink alone over the texts, with the same reduction of words. */
const bareWink = (texts: ReadonlyArray<string>): ((queries: ReadonlyArray<string>) => QueryTimes) => {
  const wink = makeWink()
  wink.defineConfig({ fldWeights: { words: 1 }, ovFldNames: ['row'] })
  wink.definePrepTasks([splitWords])
  for (const [row, words] of texts.entries()) wink.addDoc({ words, row }, row)
  wink.consolidate(4)
  return queries => {
    const before = process.cpuUsage()
    const eachMs = queries.map(query => {
      const startedMs = performance.now()
      wink.search(query, hitsMax, () => true)
      return performance.now() - startedMs
    })
    const { user, system } = process.cpuUsage(before)
    return { eachMs, usedMs: (user + system) / 1000 / queries.length }
  }
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
  return { eachMs: times, usedMs: usedMs / queries.length }
}

/**
 * `/search` over prose alone through HTTP, against wink without a node, on the sessions of one world: a round of queries
 * of the node, the same of wink, and so on.
 */
export const proseFigures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  const repo = await writeWorld(folder, proseScale)
  await setServerKeys(repo, { search_index: 'all', selfheal_interval_ms: seldomMs })
  const texts = sessionTextsOf()
  const count = rounds * queriesInRound + queriesOfWarmUp
  const queries = drawQueries(rankWords(texts), count, chanceOf('zapytania'))
  return withDaemon(folder, { repo }, async daemon => {
    await waitForTiers(daemon, ['lore', 'session', 'external'])
    const askWink = bareWink(texts)
    const warmUp = queries.slice(0, queriesOfWarmUp)
    await askNode(daemon, warmUp)
    askWink(warmUp)
    const [node, wink]: [Array<QueryTimes>, Array<QueryTimes>] = [[], []]
    for (const asked of cutInto(queries.slice(queriesOfWarmUp), queriesInRound)) {
      node.push(await askNode(daemon, asked))
      wink.push(askWink(asked))
    }
    return figuresOf(texts.length, node, wink)
  })
}

const figuresOf = (
  sessions: number,
  node: ReadonlyArray<QueryTimes>,
  wink: ReadonlyArray<QueryTimes>,
): ReadonlyArray<Figure> => {
  const [seen, bare] = [node.map(one => one.eachMs), wink.map(one => one.eachMs)]
  const medians = (rounds: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> => rounds.map(median)
  const beyond = medians(seen).map((ms, at) => ms - (medians(bare)[at] ?? Number.NaN))
  const used = (times: ReadonlyArray<QueryTimes>): ReadonlyArray<number> => times.map(one => one.usedMs)
  const rule = 'one to three words, each of a rank drawn evenly on a logarithmic scale'
  const bareP99 = `p99 ${percentile(bare.flat(), 0.99).toFixed(1)} ms`
  const unit = 'ms of processor'
  return [
    figureAtMost(`/search over the prose of ${sessions} sessions, p99`, 'ms', 8, p99Of(seen), rule),
    figureAtMost('/search over that prose, median beyond that of bare wink', 'ms', 2, beyond),
    figureWithoutBar('/search over that prose, median', 'ms', medians(seen)),
    figureWithoutBar('bare wink, median', 'ms', medians(bare), bareP99),
    figureWithoutBar('processor time of /search over that prose', unit, used(node), 'all threads'),
    figureWithoutBar('processor time of bare wink', unit, used(wink)),
  ]
}
