import { join } from 'node:path'
import { type BenchDaemon, processorMs, startBenchDaemon } from '../daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, median } from '../figure.js'
import { flushDisk } from '../flush-disk.js'
import { percentile } from '../percentile.js'
import { rebuildAll, waitForTiers } from '../search-client.js'
import { setServerKeys } from '../server-keys.js'
import {
  askToConverge,
  cloneTwice,
  commitTo,
  pickSpreadFiles,
  publishByOther,
  type TwoClones,
} from '../two-clones.js'
import { prepareChatWorld } from './chat-world.js'
import { answerMsOf, type ForwardedDispatch, forwardAtRate } from './forward.js'
import { epochMs } from './platform.js'

const perSecond = 300
const plainSeconds = 12
const rounds = 2
const files = 200
const tiers = ['lore', 'session', 'external']

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/**
 * The interactions that were forwarded while a work went on, several times. A first time is not counted: the node runs
 * the code of that work for the first time then.
 */
const forwardDuring = async (
  daemon: BenchDaemon,
  prepare: (round: number) => Promise<void>,
  work: (round: number) => Promise<void>,
): Promise<ReadonlyArray<ForwardedDispatch>> => {
  const seen: Array<ForwardedDispatch> = []
  for (let round = 0; round <= rounds; round += 1) {
    await prepare(round)
    await flushDisk()
    let isOver = false
    const forwarded = forwardAtRate(daemon, perSecond, () => !isOver)
    await pause(300)
    const beganMs = epochMs()
    await work(round).finally(() => {
      isOver = true
    })
    const endedMs = epochMs()
    const during = (await forwarded).filter(({ sentMs }) => sentMs >= beganMs && sentMs <= endedMs)
    if (round > 0) seen.push(...during)
  }
  return seen
}

const figure = (name: string, barMs: number, seen: ReadonlyArray<ForwardedDispatch>): Figure => {
  const times = seen.map(answerMsOf)
  const refused = seen.filter(({ isAccepted }) => !isAccepted).length
  const note = `${times.length} requests, ${refused} refused, median ${median(times).toFixed(1)} ms`
  return figureAtMost(name, 'ms', barMs, percentile(times, 0.99), note)
}

const convergeOrFail = async (daemon: BenchDaemon, action: string): Promise<void> => {
  const answer = await askToConverge(daemon)
  if (!answer.includes(`"${action}"`)) throw new Error(`no converge that ${action}: ${answer}`)
}

const forwardInTurns = async (daemon: BenchDaemon, clones: TwoClones) => {
  const { mine, other } = clones
  await waitForTiers(daemon, tiers)
  await askToConverge(daemon)
  const [spread, one] = [await pickSpreadFiles(other, files), await pickSpreadFiles(mine, 1)]
  const nothing = (): Promise<void> => Promise.resolve()
  const plainPart = (): Promise<void> => pause((plainSeconds * 1_000) / rounds)
  const plain = await forwardDuring(daemon, nothing, plainPart)
  const beforeMs = (await processorMs(daemon.pid)) ?? Number.NaN
  const startedMs = performance.now()
  const metered = await forwardAtRate(daemon, perSecond, () => performance.now() - startedMs < 5_000)
  const eachMs = (((await processorMs(daemon.pid)) ?? Number.NaN) - beforeMs) / metered.length
  const push = await forwardDuring(
    daemon,
    async round => {
      await commitTo(mine, one, round)
    },
    () => convergeOrFail(daemon, 'pushed'),
  )
  const converge = await forwardDuring(
    daemon,
    async round => {
      await publishByOther(clones, spread, round)
    },
    () => convergeOrFail(daemon, 'pulled'),
  )
  const index = await forwardDuring(daemon, nothing, () => rebuildAll(daemon))
  return { plain, eachMs, push, converge, index }
}

/** The time to the 202 of a dispatch, at rest and while the node does something large; at scale 10. */
export const receiptFigures = async (
  folder: string,
  world: string,
  platformUrl: string,
): Promise<ReadonlyArray<Figure>> => {
  const clones = await cloneTwice(folder, 'chat', world)
  await prepareChatWorld(clones.mine, platformUrl)
  await setServerKeys(clones.mine, { search_index: 'all', publish_mode: 'push' })
  const daemon = await startBenchDaemon({ repo: clones.mine, state: join(clones.place, 'state') })
  try {
    const { plain, eachMs, push, converge, index } = await forwardInTurns(daemon, clones)
    return [
      figure(`dispatch to its 202 at ${perSecond}/s, p99`, 25, plain),
      figureWithoutBar('processor time of a dispatch, its enactment and its answer', 'ms', eachMs),
      figure(`dispatch to its 202 at ${perSecond}/s during a push, p99`, 250, push),
      figure(`the same during a converge of ${files} files, p99`, 250, converge),
      figure('the same while every index is built, p99', 250, index),
    ]
  } finally {
    await daemon.stop()
  }
}
