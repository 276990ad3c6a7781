import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type BenchDaemon, memoryMb, processorMs, withDaemon } from '../daemon.js'
import { type Figure, figureAtMost, median, p99Of, typicalSlope } from '../figure.js'
import { oneByOne } from '../one-by-one.js'
import { forwardAtRate, forwardMany } from './forward.js'
import type { BenchPlatform } from './platform.js'
import { seedDeliveries } from './seed-state.js'

const botToken = { SVC_CHAT_BOT_TOKEN: 'pomiar' }
const waitMsMax = 120_000

const waitForAnswers = async ({ answeredMs }: BenchPlatform, count: number): Promise<void> => {
  const endMs = performance.now() + waitMsMax
  while (answeredMs.size < count) {
    if (performance.now() > endMs) throw new Error(`${answeredMs.size} of ${count} interactions are answered`)
    await pause(50)
  }
}

const lagRounds = 4
const lagRoundMs = 5_000

/** From the 202 to the answer in the hands of the platform, at 10 queries a second with 1,000 notices that wait. */
const lagFigure = async (folder: string, repo: string, platform: BenchPlatform): Promise<Figure> => {
  const state = await mkdtemp(join(folder, 'state-'))
  seedDeliveries(state, 1_000, 'queued')
  return withDaemon(folder, { repo, state, env: botToken }, async daemon => {
    const rounds: Array<ReadonlyArray<number>> = []
    let sent = 0
    for (let round = 0; round < lagRounds; round += 1) {
      const before = platform.answeredMs.size
      const endMs = performance.now() + lagRoundMs
      const asked = await forwardAtRate(daemon, 10, () => performance.now() < endMs)
      const forwarded = asked.filter(({ isAccepted }) => isAccepted)
      await waitForAnswers(platform, before + forwarded.length)
      sent += asked.length
      rounds.push(
        forwarded.map(({ token, answeredMs }) => (platform.answeredMs.get(token) ?? Number.NaN) - answeredMs),
      )
    }
    const note = `${rounds.flat().length} of ${sent} queries accepted, ${platform.messages()} notices sent meanwhile`
    return figureAtMost('202 to the answer at the platform, p99', 'ms', 1_000, p99Of(rounds), note)
  })
}

/** Arguments of node that have the daemon collect its garbage at a signal; nothing of the program changes. */
const collectsAtSignal: ReadonlyArray<string> = [
  '--expose-gc',
  "--import=data:text/javascript,process.on('SIGUSR2',()=>{gc();gc()})",
]

/**
 * Returns the resident memory, in MiB, of a daemon that was started with `collectsAtSignal`, after full collections. It
 * collects three times, because V8 returns freed pages to the system later.
 */
const memoryBehindCollectionMb = async (pid: number): Promise<number> => {
  for (let at = 0; at < 3; at += 1) {
    process.kill(pid, 'SIGUSR2')
    await pause(1_000)
  }
  return (await memoryMb(pid, 'VmRSS')) ?? Number.NaN
}

const answersInRound = 10_000

const answerMany = async (daemon: BenchDaemon, platform: BenchPlatform): Promise<number> => {
  const before = platform.answeredMs.size
  await forwardMany(daemon, answersInRound)
  await waitForAnswers(platform, before + answersInRound)
  return memoryBehindCollectionMb(daemon.pid)
}

/** One round that warms the node up, and ends between which memory is compared. */
const memoryRounds = 4

/**
 * What 10,000 answers leave in memory: the typical growth between the ends of rounds. The garbage is collected at each
 * end, since that which waits for a collection differs by up to 100 MiB from end to end.
 */
const memoryFigure = (folder: string, repo: string, platform: BenchPlatform): Promise<Figure> =>
  withDaemon(folder, { repo, node: collectsAtSignal }, async daemon => {
    const ends: Array<number> = []
    for (let round = 0; round < memoryRounds; round += 1) ends.push(await answerMany(daemon, platform))
    const note = `${ends.map(mib => mib.toFixed(0)).join(', ')} MiB, ${platform.repeated()} answers sent twice`
    const settled = ends.slice(1)
    const each = settled.slice(1).map((mib, at) => mib - (settled[at] ?? Number.NaN))
    const grown = { seen: typicalSlope(settled), each }
    return figureAtMost('memory that 10,000 answers leave', 'MiB', 8, grown, note)
  })

const listRounds = 5
const listsInRound = 300

const listFigure = async (folder: string, repo: string): Promise<Figure> => {
  const state = await mkdtemp(join(folder, 'state-'))
  seedDeliveries(state, 10_000, 'sent')
  return withDaemon(folder, { repo, state }, async daemon => {
    const asker = oneByOne(`${daemon.url}/chat/deliveries`)
    const round = async (): Promise<ReadonlyArray<number>> => {
      const times: Array<number> = []
      for (let at = 0; at < listsInRound; at += 1) times.push(await asker.ask(daemon.headers))
      return times
    }
    try {
      await round()
      const beforeMs = (await processorMs(daemon.pid)) ?? Number.NaN
      const rounds: Array<ReadonlyArray<number>> = []
      for (let at = 0; at < listRounds; at += 1) rounds.push(await round())
      const times = rounds.flat()
      const eachMs = (((await processorMs(daemon.pid)) ?? Number.NaN) - beforeMs) / times.length
      const note = `median ${median(times).toFixed(1)} ms, processor time ${eachMs.toFixed(1)} ms`
      return figureAtMost('GET /chat/deliveries of 10,000, p99', 'ms', 10, p99Of(rounds), note)
    } finally {
      asker.close()
    }
  })
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
