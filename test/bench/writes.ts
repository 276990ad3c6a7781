import { gitText } from '#src/adapters/git/git-command.js'
import { rawGet } from './bare.js'
import type { BenchDaemon } from './daemon.js'
import { blockRatios, type Figure, figureAtMost, figureWithoutBar, median } from './figure.js'
import { inversions } from './order.js'
import { percentile } from './percentile.js'
import { openPlumbing } from './plumbing.js'
import { type Ack, openWriter, type WriteOne, type WriteTarget, writeTargetsOf } from './writer.js'

const warmUp = 5
const singles = 40
/** Of the ratios: eight pairs of blocks. */
const turnsInBlock = 5
const clients = 64
const perClient = 10
const rounds = 5
const readMs = 1000

/** A world with a node on it. */
export interface WritePlace {
  readonly repo: string
  readonly daemon: BenchDaemon
}

const timeWrite = async (
  write: WriteOne,
  targets: ReadonlyArray<WriteTarget>,
  turn: number,
): Promise<number> => {
  const target = targets[turn % targets.length]
  if (target === undefined) throw new Error('a world without entities')
  const { askedMs, answeredMs } = await write(target, `pomiar pojedynczy ${turn}`)
  return answeredMs - askedMs
}

/** Milliseconds of single writes: each function once a turn, in an order that moves on. The first turns are not counted. */
const inTurns = async (
  writes: ReadonlyArray<(turn: number) => Promise<number>>,
): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const seen = writes.map(() => new Array<number>())
  for (let turn = 0; turn < warmUp + singles; turn += 1)
    for (let at = 0; at < writes.length; at += 1) {
      const place = (turn + at) % writes.length
      const tookMs = await writes[place]?.(turn)
      if (tookMs !== undefined && turn >= warmUp) seen[place]?.push(tookMs)
    }
  return seen
}

const together = async (
  daemon: BenchDaemon,
  targets: ReadonlyArray<WriteTarget>,
): Promise<ReadonlyArray<Ack>> => {
  const write = openWriter(daemon, clients)
  const client = async (place: number): Promise<ReadonlyArray<Ack>> => {
    const acks: Array<Ack> = []
    const target = targets[place]
    for (let turn = 0; turn < perClient && target !== undefined; turn += 1)
      acks.push(await write(target, `pomiar wspólny ${place} ${turn}`))
    return acks
  }
  return (await Promise.all(Array.from({ length: clients }, (_, place) => client(place)))).flat()
}

const readP99 = async (daemon: BenchDaemon, name: string): Promise<number> => {
  const url = `${daemon.url}/entities/${encodeURIComponent(name)}`
  const seen: Array<number> = []
  const endMs = performance.now() + readMs
  while (performance.now() < endMs) {
    const startedMs = performance.now()
    await rawGet(url, daemon.headers)
    seen.push(performance.now() - startedMs)
  }
  return percentile(seen, 0.99)
}

/** Reads of one entity while nobody writes, then while four clients write without a pause. */
const readsBeside = async (
  daemon: BenchDaemon,
  targets: ReadonlyArray<WriteTarget>,
): Promise<{ readonly idleMs: number; readonly busyMs: number }> => {
  const [read, ...others] = targets
  if (read === undefined) throw new Error('a world without entities')
  const idleMs = await readP99(daemon, read.name)
  const write = openWriter(daemon, 4)
  let isOver = false
  const writing = [0, 1, 2, 3].map(async place => {
    for (let turn = 0; !isOver; turn += 1) {
      const target = others[(place + 4 * turn) % others.length]
      if (target !== undefined) await write(target, `pomiar obok ${performance.now()}`)
    }
  })
  const busyMs = await readP99(daemon, read.name)
  isOver = true
  await Promise.all(writing)
  return { idleMs, busyMs }
}

const readFigures = async (
  daemon: BenchDaemon,
  targets: ReadonlyArray<WriteTarget>,
): Promise<ReadonlyArray<Figure>> => {
  const seen: Array<{ readonly idleMs: number; readonly busyMs: number }> = []
  for (let round = 0; round < rounds; round += 1) seen.push(await readsBeside(daemon, targets))
  const idleMs = median(seen.map(one => one.idleMs))
  const bar = Math.max(2 * idleMs, idleMs + 10)
  return [
    figureAtMost(
      'GET /entities/{name} while writes run, p99',
      'ms',
      bar,
      seen.map(one => one.busyMs),
      `idle ${idleMs.toFixed(2)} ms`,
    ),
  ]
}

/** What writes cost against bare plumbing (N2 "Speed"): `small` at scale 1, `large` at scale 10. */
export const writeFigures = async (
  folder: string,
  small: WritePlace,
  large: WritePlace,
): Promise<ReadonlyArray<Figure>> => {
  const [few, many] = [await writeTargetsOf(small.repo), await writeTargetsOf(large.repo)]
  const [writeSmall, writeLarge] = [openWriter(small.daemon, 1), openWriter(large.daemon, 1)]
  const [bareMs = [], smallMs = [], largeMs = []] = await inTurns([
    await openPlumbing(folder, small.repo, few[0]?.path ?? ''),
    turn => timeWrite(writeSmall, few, turn),
    turn => timeWrite(writeLarge, many, turn),
  ])
  const before = await gitText(['rev-parse', 'HEAD'], { cwd: small.repo })
  const startedMs = performance.now()
  const acks = await together(small.daemon, few)
  const eachMs = (performance.now() - startedMs) / acks.length
  const history = await gitText(['rev-list', '--reverse', `${before}..HEAD`], { cwd: small.repo })
  const commits = history.split('\n').filter(line => line !== '')
  return [
    figureWithoutBar('bare plumbing commit, scale 1', 'ms', bareMs),
    figureAtMost(
      'PATCH /entities/{name}, scale 1, against bare plumbing',
      'x',
      1.5,
      blockRatios(smallMs, bareMs, turnsInBlock),
      `${median(smallMs).toFixed(1)} ms`,
    ),
    figureAtMost(
      'PATCH at scale 10 against scale 1',
      'x',
      1.3,
      blockRatios(largeMs, smallMs, turnsInBlock),
      `${median(largeMs).toFixed(1)} ms`,
    ),
    figureAtMost(
      `${clients} clients, a commit against bare plumbing`,
      'x',
      0.6,
      eachMs / median(bareMs),
      `${eachMs.toFixed(1)} ms`,
    ),
    figureAtMost(
      'commits that are not one an answer',
      'commits',
      0,
      Math.abs(commits.length - acks.length),
      `${acks.length} answers`,
    ),
    figureAtMost('answers out of the order of history', 'pairs', 0, inversions(commits, acks)),
    ...(await readFigures(small.daemon, few)),
  ]
}
