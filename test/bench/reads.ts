import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import { type RawAnswer, rawGet } from './client.js'
import { type BenchDaemon, withDaemon } from './daemon.js'
import {
  type Figure,
  figureAtLeast,
  figureAtMost,
  figureWithoutBar,
  inPairs,
  median,
  ratiosOf,
} from './figure.js'
import { anEntity } from './worlds.js'

/** How many pairs of rounds compare two targets, and how long a round is. */
export interface PairPlan {
  readonly pairs: number
  readonly seconds: number
}

/** Answers of a node against a bare twin and against each other, and what they read from the disk. */
export const readFigures = (folder: string, repo: string, plan: PairPlan): Promise<ReadonlyArray<Figure>> =>
  withDaemon(folder, { repo }, async daemon => {
    const entity = await anEntity(repo)
    // First, because the request log starts a new file once the rounds have filled one.
    const disk = await diskFigures(daemon, folder, entity)
    const answers = await answerFigures(daemon, folder, entity, plan)
    return [...answers, ...(await fileReadFigures(daemon, plan)), ...disk]
  })

/** What is asked again and again. */
interface RateTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The status that every answer must have. */
  readonly status: 200 | 304
}

const connections = 8
/** autocannon looks that often whether a round is over. */
const sampleMs = 50
const warmUpSeconds = 0.7

/** Requests per second of one target; throws when any answer was not the one expected. */
const rateOf = async ({ url, headers, status }: RateTarget, seconds: number): Promise<number> => {
  const result = await autocannon({
    url,
    headers: { ...headers },
    connections,
    duration: seconds,
    sampleInt: sampleMs,
  })
  const expected = status === 200 ? result['2xx'] : result['3xx']
  const all = result['2xx'] + result['3xx'] + result['4xx'] + result['5xx']
  const others = result.errors + result.timeouts + (all - expected)
  if (others > 0 || expected === 0) throw new Error(`${url}: ${others} answers were not ${status}`)
  return result.requests.total / result.duration
}

const compareRates = async (
  name: string,
  bar: number,
  [left, right]: readonly [RateTarget, RateTarget],
  { pairs, seconds }: PairPlan,
): Promise<Figure> => {
  await rateOf(left, warmUpSeconds)
  await rateOf(right, warmUpSeconds)
  const rates = await inPairs(
    pairs,
    () => rateOf(left, seconds),
    () => rateOf(right, seconds),
  )
  const [ours, theirs] = [median(rates.map(pair => pair[0])), median(rates.map(pair => pair[1]))]
  const note = `${Math.round(ours)} against ${Math.round(theirs)} requests/s`
  return figureAtLeast(name, 'x', bar, ratiosOf(rates), note)
}

const gzip = { 'accept-encoding': 'gzip' }

const pathOf = (url: string): string => new URL(url).pathname

/** How answers of a node compare with a bare restify route that sends the same bytes. */
const answerFigures = async (
  daemon: BenchDaemon,
  folder: string,
  entity: string,
  plan: PairPlan,
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
      [pathOf(one), oneAnswer],
      [pathOf(whole), wholeAnswer],
    ]),
  )
  const ours = (
    url: string,
    headers: RateTarget['headers'] = {},
    status: RateTarget['status'] = 200,
  ): RateTarget => ({ url, headers: { ...daemon.headers, ...headers }, status })
  const theirs = (url: string): RateTarget => ({
    url: bare.url(pathOf(url)),
    headers: daemon.headers,
    status: 200,
  })
  const known = { ...gzip, 'if-none-match': wholeAnswer.headers['etag'] ?? '' }
  try {
    return [
      await compareRates('GET /entities/{name} against bare restify', 0.75, [ours(one), theirs(one)], plan),
      await compareRates(
        'GET /entities, gzip, against bare restify',
        0.8,
        [ours(whole, gzip), theirs(whole)],
        plan,
      ),
      await compareRates(
        '304 of the corpus against a 200 of one entity',
        0.8,
        [ours(whole, known, 304), ours(one)],
        plan,
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
const fileReadFigures = async (
  { url, headers }: BenchDaemon,
  plan: PairPlan,
): Promise<ReadonlyArray<Figure>> => {
  const target = (row: string): RateTarget => ({ url: `${url}${row}`, headers, status: 200 })
  const figures: Array<Figure> = []
  for (const row of ['/config/schedules', '/governance/permissions', '/fleet/monitor', '/derived'])
    figures.push(
      await compareRates(
        `GET ${row} against GET /people/channels`,
        0.8,
        [target(row), target('/people/channels')],
        plan,
      ),
    )
  return figures
}

/** Headers that the twin's own connection sets. */
const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
])

interface Bare {
  readonly url: (path: string) => string
  readonly stop: () => Promise<void>
}

const portOf = async (child: ChildProcess): Promise<number> => {
  if (child.stdout === null) throw new Error('the bare server has no output')
  const said: ReadonlyArray<unknown> = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the bare server left'))),
  ])
  return Number(String(said[0]).trim())
}

/** Starts the bare twin in a process of its own; each path answers with the bytes and headers of a real answer. */
const startBare = async (folder: string, answers: ReadonlyMap<string, RawAnswer>): Promise<Bare> => {
  const pairs = await Promise.all(
    [...answers].map(async ([path, answer], at) => {
      const file = join(folder, `bare-${at}.json`)
      const headers = Object.fromEntries(
        Object.entries(answer.headers).filter(([name]) => !ofTheConnection.has(name)),
      )
      await writeFile(
        file,
        JSON.stringify({
          headers: { ...headers, 'content-length': answer.body.length },
          body: answer.body.toString('base64'),
        }),
      )
      return [path, file]
    }),
  )
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/bench/bare-server.ts', ...pairs.flat()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await portOf(child)
  return {
    url: path => `http://127.0.0.1:${port}${path}`,
    stop: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

const diskName = 'files opened by 22 read routes after boot'

/** Calls that open or look at a file; those of `/proc` and `/sys` are memory, not disk. */
const ofFiles = 'trace=open,openat,openat2,stat,newfstatat,statx,getdents64,execve'
const notDisk = /"\/(?:proc|sys|dev)\//

const paths = (entity: string): ReadonlyArray<string> => {
  const one = encodeURIComponent(entity)
  return [
    '/entities',
    '/entities?type=NPC&limit=5',
    '/entities/links',
    '/entities/integrity',
    `/entities/${one}`,
    `/entities/${one}/sessions`,
    `/entities/${one}/path`,
    `/entities/${one}/locations`,
    `/entities/${one}/relations`,
    `/entities/${one}/timeline`,
    '/sessions',
    '/sessions/summary?limit=10',
    '/sessions/open',
    '/sessions/graph',
    '/people',
    '/locations',
    '/locations/graph',
    '/claims/lint',
    '/governance/refs',
    '/governance/permissions',
    '/config/schedules',
    '/schema',
  ]
}

/**
 * Asks 22 read routes while strace watches the node. The node must look at HEAD less often than the watch lasts
 * (D14 aside). Not measured where strace is absent or may not attach.
 */
const diskFigures = async (
  daemon: BenchDaemon,
  folder: string,
  entity: string,
): Promise<ReadonlyArray<Figure>> => {
  const log = join(folder, 'strace.txt')
  const tracer = spawn('strace', ['-f', '-p', String(daemon.pid), '-e', ofFiles, '-o', log], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>(resolve => {
    tracer.on('error', () => resolve())
    tracer.on('close', () => resolve())
  })
  const attached = await Promise.race([
    once(tracer.stderr, 'data').then((said: ReadonlyArray<unknown>) => String(said[0]).includes('attached')),
    ended.then(() => false),
    pause(5000).then(() => false),
  ])
  if (!attached) {
    tracer.kill('SIGINT')
    return [figureAtMost(diskName, 'files', 0, null, 'strace is absent or may not attach')]
  }
  const refused: Array<string> = []
  for (const path of paths(entity)) {
    const { status } = await rawGet(`${daemon.url}${path}`, daemon.headers)
    if (status !== 200) refused.push(`${path} ${status}`)
  }
  tracer.kill('SIGINT')
  await ended
  const lines = (await readFile(log, 'utf8')).split('\n')
  const opened = lines.filter(line => /\b(?:open|stat|getdents|exec)\w*\(/u.test(line) && !notDisk.test(line))
  const notes = [...new Set(opened.map(line => /"([^"]*)"/u.exec(line)?.[1] ?? line))].slice(0, 3)
  return [figureAtMost(diskName, 'files', 0, opened.length, [...notes, ...refused].join('; '))]
}
