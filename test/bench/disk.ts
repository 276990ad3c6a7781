import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rawGet } from './bare.js'
import type { BenchDaemon } from './daemon.js'
import { type Figure, figureAtMost } from './figure.js'

const name = 'files opened by 22 read routes after boot'

/** Calls that open or look at a file; those of `/proc` and `/sys` are memory, not disk. */
const ofFiles = 'trace=open,openat,openat2,stat,newfstatat,statx,getdents64,execve'
const notDisk = /"\/(?:proc|sys|dev)\//

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

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

const madeLimitMs = 120_000

/** Waits for what the node makes of transcripts after its boot: that is its own work, and of no read. */
const transcriptsMade = async (daemon: BenchDaemon): Promise<void> => {
  const untilMs = performance.now() + madeLimitMs
  for (;;) {
    const { body } = await rawGet(`${daemon.url}/health`, daemon.headers)
    if (body.includes('"mentionIndex":"fresh"')) return
    if (performance.now() > untilMs) throw new Error('the node made no index of mentions')
    await pause(100)
  }
}

/**
 * Asks 22 read routes while strace watches the node, once it has made its index of transcripts. The node must look at HEAD less often than the watch lasts
 * (D14 aside). Not measured where strace is absent or may not attach.
 */
export const diskFigures = async (
  daemon: BenchDaemon,
  folder: string,
  entity: string,
): Promise<ReadonlyArray<Figure>> => {
  await transcriptsMade(daemon)
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
    return [figureAtMost(name, 'files', 0, null, 'strace is absent or may not attach')]
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
  return [figureAtMost(name, 'files', 0, opened.length, [...notes, ...refused].join('; '))]
}
