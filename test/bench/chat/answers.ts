import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { collectsAtSignal, memoryBehindCollectionMb } from '../collected-memory.js'
import { type BenchDaemon, processorMs, startBenchDaemon } from '../daemon.js'
import { type Figure, figureAtMost, median } from '../figure.js'
import { oneByOne } from '../one-by-one.js'
import { percentile } from '../percentile.js'
import { typicalSlope } from '../typical-slope.js'
import { forwardAtRate, forwardMany } from './forward.js'
import type { BenchPlatform } from './platform.js'
import { seedDeliveries } from './seed-state.js'

const botToken = { SVC_CHAT_BOT_TOKEN: 'pomiar' }
const waitMsMax = 120_000
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

const waitForAnswers = async ({ answeredMs }: BenchPlatform, count: number): Promise<void> => {
  const endMs = performance.now() + waitMsMax
  while (answeredMs.size < count) {
    if (performance.now() > endMs) throw new Error(`${answeredMs.size} of ${count} interactions are answered`)
    await pause(50)
  }
}

/** From the 202 to the answer in the hands of the platform, at 10 queries a second with 1,000 notices that wait. */
const lagFigure = async (folder: string, repo: string, platform: BenchPlatform): Promise<Figure> => {
  const state = await mkdtemp(join(folder, 'state-'))
  seedDeliveries(state, 1_000, 'queued')
  const daemon = await startBenchDaemon({ repo, state, env: botToken })
  try {
    const before = platform.answeredMs.size
    const endMs = performance.now() + 10_000
    const sent = await forwardAtRate(daemon, 10, () => performance.now() < endMs)
    const forwarded = sent.filter(({ isAccepted }) => isAccepted)
    await waitForAnswers(platform, before + forwarded.length)
    const lags = forwarded.map(
      ({ token, answeredMs }) => (platform.answeredMs.get(token) ?? Number.NaN) - answeredMs,
    )
    const note = `${lags.length} of ${sent.length} queries accepted, ${platform.messages()} notices sent meanwhile`
    return figureAtMost('202 to the answer at the platform, p99', 'ms', 1_000, percentile(lags, 0.99), note)
  } finally {
    await daemon.stop()
  }
}

const answerMany = async (daemon: BenchDaemon, platform: BenchPlatform, many: number): Promise<number> => {
  const before = platform.answeredMs.size
  await forwardMany(daemon, many)
  await waitForAnswers(platform, before + many)
  return memoryBehindCollectionMb(daemon.pid)
}

/** Rounds of 5,000 answers: one that warms the node up, and ends between which memory is compared. */
const memoryRounds = 5
const answersInRound = 5_000

/**
 * What 10,000 answers leave in memory, by the typical growth between the ends of rounds. The garbage is collected at each
 * end, since that which waits for a collection differs by up to 100 MiB from end to end.
 */
const memoryFigure = async (folder: string, repo: string, platform: BenchPlatform): Promise<Figure> => {
  const daemon = await startBenchDaemon({
    ...{ repo, node: collectsAtSignal, state: await mkdtemp(join(folder, 'state-')) },
  })
  try {
    const ends: Array<number> = []
    for (let round = 0; round < memoryRounds; round += 1)
      ends.push(await answerMany(daemon, platform, answersInRound))
    const note = `${ends.map(mib => mib.toFixed(0)).join(', ')} MiB, ${platform.repeated()} answers sent twice`
    const leftMib = typicalSlope(ends.slice(1)) * (10_000 / answersInRound)
    return figureAtMost('memory that 10,000 answers leave', 'MiB', 8, leftMib, note)
  } finally {
    await daemon.stop()
  }
}

const listRequests = 2_500

const listFigure = async (folder: string, repo: string): Promise<Figure> => {
  const state = await mkdtemp(join(folder, 'state-'))
  seedDeliveries(state, 10_000, 'sent')
  const daemon = await startBenchDaemon({ repo, state })
  const asker = oneByOne(`${daemon.url}/chat/deliveries`)
  try {
    for (let at = 0; at < 500; at += 1) await asker.ask(daemon.headers)
    const beforeMs = (await processorMs(daemon.pid)) ?? Number.NaN
    const times: Array<number> = []
    for (let at = 0; at < listRequests; at += 1) times.push(await asker.ask(daemon.headers))
    const eachMs = (((await processorMs(daemon.pid)) ?? Number.NaN) - beforeMs) / listRequests
    const note = `median ${median(times).toFixed(1)} ms, processor time ${eachMs.toFixed(1)} ms`
    return figureAtMost('GET /chat/deliveries of 10,000, p99', 'ms', 10, percentile(times, 0.99), note)
  } finally {
    asker.close()
    await daemon.stop()
  }
}

export const chatAnswerFigures = async (
  folder: string,
  repo: string,
  platform: BenchPlatform,
): Promise<ReadonlyArray<Figure>> => [
  await lagFigure(folder, repo, platform),
  await memoryFigure(folder, repo, platform),
  await listFigure(folder, repo),
]
