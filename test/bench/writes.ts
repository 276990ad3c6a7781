import { cp, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import { rawGet } from './client.js'
import { type BenchDaemon, withDaemon } from './daemon.js'
import {
  type Figure,
  figureAtMost,
  figureWithoutBar,
  median,
  mediansOf,
  percentile,
  ratiosOf,
} from './figure.js'
import { type Ack, openWriter, type WriteTarget, writeTargetsOf } from './writer.js'

const pairs = 9
/** Each side of a pair is the median of so many commits. */
const writesInPair = 5
const clients = 64
const perClient = 3
const stormRounds = 5
const readRounds = 7
const readMs = 1000

/** What writes cost against bare plumbing (N2 "Speed"), at scale 1 and at scale 10. */
export const writeFigures = (folder: string, one: string, ten: string): Promise<ReadonlyArray<Figure>> =>
  withDaemon(folder, { repo: one }, small =>
    withDaemon(folder, { repo: ten }, async large => {
      const few = await writeTargetsOf(one)
      const commitBare = await openPlumbing(folder, one, few[0]?.path ?? '')
      const writeSmall = await openPatches(small, few)
      return [
        ...(await singleFigures(commitBare, writeSmall, await openPatches(large, await writeTargetsOf(ten)))),
        ...(await stormOfClients(small, one, few, commitBare)),
        ...(await readFigures(small, few)),
      ]
    }),
  )

/** Commits once; the milliseconds. */
type CommitOnce = () => Promise<number>

const author = {
  GIT_AUTHOR_NAME: 'Pomiar',
  GIT_AUTHOR_EMAIL: 'pomiar@example.org',
  GIT_COMMITTER_NAME: 'Pomiar',
  GIT_COMMITTER_EMAIL: 'pomiar@example.org',
}

/**
 * One commit of one changed file by bare plumbing: hash-object, write-tree, commit-tree and update-ref with
 * `core.fsync=all`, on a copy of the repository without a work tree. That write-tree needs the file in the index is not
 * counted.
 */
const openPlumbing = async (folder: string, repo: string, path: string): Promise<CommitOnce> => {
  const bare = await mkdtemp(join(folder, 'plumbing-'))
  await cp(join(repo, '.git'), bare, { recursive: true })
  const env = { ...author, GIT_DIR: bare, GIT_INDEX_FILE: join(bare, 'plumbing.index') }
  const run = (args: ReadonlyArray<string>, input = ''): Promise<string> =>
    gitText(args, { cwd: bare, env, input })
  await run(['read-tree', 'HEAD'])
  const text = await readFile(join(repo, path), 'utf8')
  let turn = 0
  return async () => {
    turn += 1
    const head = await run(['rev-parse', 'HEAD'])
    const startedMs = performance.now()
    const blob = await run(['hash-object', '-w', '--stdin'], `${text}- @info: pomiar ${turn}\n`)
    const hashedMs = performance.now()
    await run(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`])
    const indexedMs = performance.now()
    const tree = await run(['write-tree'])
    const commit = await run(['commit-tree', tree, '-p', head, '-m', `pomiar ${turn}`])
    await run(['update-ref', 'HEAD', commit, head])
    return performance.now() - indexedMs + (hashedMs - startedMs)
  }
}

/** Writes to one entity after the other, on one connection; some writes warm the node up. */
const openPatches = async (daemon: BenchDaemon, targets: ReadonlyArray<WriteTarget>): Promise<CommitOnce> => {
  const write = openWriter(daemon, 1)
  let turn = 0
  const patch = async (): Promise<number> => {
    const target = targets[turn % targets.length]
    if (target === undefined) throw new Error('a world without entities')
    turn += 1
    const { askedMs, answeredMs } = await write(target, `pomiar pojedynczy ${turn}`)
    return answeredMs - askedMs
  }
  for (let at = 0; at < writesInPair; at += 1) await patch()
  return patch
}

const singleFigures = async (
  commitBare: CommitOnce,
  writeSmall: CommitOnce,
  writeLarge: CommitOnce,
): Promise<ReadonlyArray<Figure>> => {
  const sides = [commitBare, writeSmall, writeLarge].map(commit => ({ commit, times: new Array<number>() }))
  for (let turn = 0; turn < pairs * writesInPair; turn += 1)
    for (const { commit, times } of turn % 2 === 0 ? sides : sides.toReversed()) times.push(await commit())
  const [bare = [], small = [], large = []] = sides.map(({ times }) => mediansOf(times, writesInPair))
  const against = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): ReadonlyArray<number> =>
    ratiosOf(left.map((ms, at) => [ms, right[at] ?? Number.NaN]))
  const note = (times: ReadonlyArray<number>): string => `${median(times).toFixed(1)} ms`
  return [
    figureWithoutBar('bare plumbing commit, scale 1', 'ms', bare),
    figureAtMost(
      'PATCH /entities/{name}, scale 1, against bare plumbing',
      'x',
      1.5,
      against(small, bare),
      note(small),
    ),
    figureAtMost('PATCH at scale 10 against scale 1', 'x', 1.3, against(large, small), note(large)),
  ]
}

const writeTogether = async (
  daemon: BenchDaemon,
  targets: ReadonlyArray<WriteTarget>,
  round: number,
): Promise<ReadonlyArray<Ack>> => {
  const write = openWriter(daemon, clients)
  const client = async (place: number): Promise<ReadonlyArray<Ack>> => {
    const acks: Array<Ack> = []
    const target = targets[place]
    for (let turn = 0; turn < perClient && target !== undefined; turn += 1)
      acks.push(await write(target, `pomiar wspólny ${round} ${place} ${turn}`))
    return acks
  }
  return (await Promise.all(Array.from({ length: clients }, (_, place) => client(place)))).flat()
}

/** Many clients at once in turns with bare commits, and whether history has what they were told. */
const stormOfClients = async (
  daemon: BenchDaemon,
  repo: string,
  targets: ReadonlyArray<WriteTarget>,
  commitBare: CommitOnce,
): Promise<ReadonlyArray<Figure>> => {
  const acks: Array<Ack> = []
  const seen: Array<readonly [eachMs: number, bareMs: number]> = []
  const before = await gitText(['rev-parse', 'HEAD'], { cwd: repo })
  for (let round = 0; round < stormRounds; round += 1) {
    const startedMs = performance.now()
    const answered = await writeTogether(daemon, targets, round)
    const eachMs = (performance.now() - startedMs) / answered.length
    const bare: Array<number> = []
    for (let at = 0; at < writesInPair; at += 1) bare.push(await commitBare())
    seen.push([eachMs, median(bare)])
    acks.push(...answered)
  }
  const history = await gitText(['rev-list', '--reverse', `${before}..HEAD`], { cwd: repo })
  const commits = history.split('\n').filter(line => line !== '')
  const eachMs = median(seen.map(pair => pair[0]))
  return [
    figureAtMost(
      `${clients} clients, a commit against bare plumbing`,
      'x',
      0.6,
      ratiosOf(seen),
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
  ]
}

/**
 * How often the order of the answers is not the order of history: pairs of neighbours in the order of answers whose
 * commits stand the other way round; NaN where a commit is not in the history, or is there for two answers.
 */
export const inversions = (history: ReadonlyArray<string>, acks: ReadonlyArray<Ack>): number => {
  const places = new Map(history.map((commit, at) => [commit, at]))
  const inOrder = [...acks].sort((one, other) => one.answeredMs - other.answeredMs)
  const seen = inOrder.map(({ commit }) => places.get(commit))
  if (seen.includes(undefined) || new Set(seen).size < acks.length) return Number.NaN
  return seen.filter((place = 0, at) => at > 0 && place < (seen[at - 1] ?? 0)).length
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

interface ReadsBeside {
  readonly idleMs: number
  readonly busyMs: number
}

/** Reads of one entity while nobody writes, then while four clients write without a pause. */
const readsBeside = async (
  daemon: BenchDaemon,
  targets: ReadonlyArray<WriteTarget>,
): Promise<ReadsBeside> => {
  const [read, ...others] = targets
  if (read === undefined) throw new Error('a world without entities')
  const idleMs = await readP99(daemon, read.name)
  const write = openWriter(daemon, 4)
  let isOver = false
  const writeOn = async (place: number): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const target = others[(place + 4 * turn) % others.length]
      if (target !== undefined) await write(target, `pomiar obok ${performance.now()}`)
    }
  }
  const reading = readP99(daemon, read.name).finally(() => {
    isOver = true
  })
  const [busyMs] = await Promise.all([reading, ...[0, 1, 2, 3].map(writeOn)])
  return { idleMs, busyMs }
}

/** The bar is twice idle, or 10 ms beyond it where that is more: what is beyond idle may be idle, or 10 ms. */
const readFigures = async (
  daemon: BenchDaemon,
  targets: ReadonlyArray<WriteTarget>,
): Promise<ReadonlyArray<Figure>> => {
  const seen: Array<ReadsBeside> = []
  for (let round = 0; round < readRounds; round += 1) seen.push(await readsBeside(daemon, targets))
  const idleMs = median(seen.map(one => one.idleMs))
  return [
    figureAtMost(
      'GET /entities/{name} while writes run, p99 beyond that of idle',
      'ms',
      Math.max(idleMs, 10),
      seen.map(one => one.busyMs - one.idleMs),
      `idle ${idleMs.toFixed(2)} ms`,
    ),
  ]
}
