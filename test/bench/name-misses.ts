import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { startBenchDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar } from './figure.js'
import { loopWatchArgs, stallsIn } from './loop-watch.js'
import { absentNames } from './names.js'
import { percentile } from './percentile.js'

const queriesInBatch = 10_000
/** One batch takes half a second, in which fewer than a hundred pauses of the loop are seen. */
const batches = 8
/** Less than any tick. */
const everyTick = -10

/** Answers to one POST of a JSON body; throws where the status is not 200. */
const post = async (url: string, headers: Readonly<Record<string, string>>, body: string): Promise<void> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 300)}`)
}

/** Measures how long the loop of the node pauses while it resolves batches of unknown names. The watch ticks every 2 ms. */
export const nameMissFigures = async (folder: string, repo: string): Promise<ReadonlyArray<Figure>> => {
  const log = join(folder, 'lag-of-misses')
  const daemon = await startBenchDaemon({
    repo,
    state: await mkdtemp(join(folder, 'state-')),
    node: loopWatchArgs(log, everyTick),
  })
  try {
    const queries = absentNames(batches * queriesInBatch)
    const url = `${daemon.url}/resolve/batch`
    await post(url, daemon.headers, JSON.stringify({ queries: queries.slice(0, 200) }))
    const startedMs = Date.now()
    const times: Array<number> = []
    for (let batch = 0; batch < batches; batch += 1) {
      const own = queries.slice(batch * queriesInBatch, (batch + 1) * queriesInBatch)
      const sentMs = performance.now()
      await post(url, daemon.headers, JSON.stringify({ queries: own }))
      times.push(performance.now() - sentMs)
    }
    const lags = (await stallsIn(log, startedMs, Date.now())).map(({ lengthMs }) => lengthMs)
    return [
      figureAtMost('loop lag in batches of 10,000 misses, p99', 'ms', 20, percentile(lags, 0.99)),
      figureWithoutBar('loop lag in batches of 10,000 misses, worst', 'ms', Math.max(0, ...lags)),
      figureWithoutBar('a batch of 10,000 misses through HTTP', 'ms', times),
    ]
  } finally {
    await daemon.stop()
  }
}
