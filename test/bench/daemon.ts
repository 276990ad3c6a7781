import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { findFreePort } from '#test/support/free-port.js'

const Ready = t.type({ ready: t.literal(true), url: t.string, ops: t.string, pid: t.number, state: t.string })

/** A node that runs in a process of its own. Times are from its start. */
export interface BenchDaemon {
  readonly url: string
  readonly ops: string
  readonly pid: number
  readonly headers: Readonly<Record<string, string>>
  readonly readyMs: number
  readonly firstHealthMs: number
  readonly firstStatusMs: number
  readonly stop: () => Promise<void>
}

const startLimitMs = 120_000
const pollMs = 10

/**
 * Writes out what the bench itself wrote. The system writes the files of a prepared world out 30 s later otherwise, and
 * every fsync of the node waits for that: up to 400 ms in the middle of a measurement.
 */
export const flushDisk = async (): Promise<void> => {
  await promisify(execFile)('sync')
}

/** Ends a process of ours by its handle, politely first. */
const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await gone
  clearTimeout(late)
}

const statusOf = async (url: string): Promise<number> => {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  return answer.status
}

/** When a row first answered 200. */
const firstAnswer = async (
  path: string,
  port: number,
  startedMs: number,
  child: ChildProcess,
): Promise<number> => {
  while (performance.now() - startedMs < startLimitMs && child.exitCode === null) {
    const status = await statusOf(`http://127.0.0.1:${port}/v1/api${path}`).catch(() => 0)
    if (status === 200) return performance.now() - startedMs
    await pause(pollMs)
  }
  return Number.NaN
}

const readyLine = (child: ChildProcess): Promise<t.TypeOf<typeof Ready>> =>
  new Promise((resolve, reject) => {
    let [said, complained] = ['', '']
    child.stderr?.on('data', (part: Buffer) => {
      complained = `${complained}${part.toString('utf8')}`.slice(-2000)
    })
    child.stdout?.on('data', (part: Buffer) => {
      said += part.toString('utf8')
      const [line, rest] = said.split('\n')
      if (line === undefined || rest === undefined) return
      const decoded = Ready.decode(JSON.parse(line))
      if (isLeft(decoded)) reject(new Error(`not a ready line: ${line}`))
      else resolve(decoded.right)
    })
    child.on('exit', code => reject(new Error(`the daemon left with ${code ?? 'a signal'}: ${complained}`)))
  })

export interface DaemonOptions {
  readonly repo: string
  readonly state: string
  /** Arguments of node, such as `--cpu-prof`. */
  readonly node?: ReadonlyArray<string>
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the built daemon on a repository and waits for its ready line. */
export const startBenchDaemon = async ({
  repo,
  state,
  node = [],
  env = {},
}: DaemonOptions): Promise<BenchDaemon> => {
  await flushDisk()
  const port = await findFreePort()
  const startedMs = performance.now()
  const child = spawn(
    process.execPath,
    [...node, 'dist/src/main.js', 'serve', '--repo', repo, '--state', state, '--port', String(port)],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  )
  const healthy = firstAnswer('/health', port, startedMs, child)
  const shown = firstAnswer('/fleet/status', port, startedMs, child)
  try {
    const line = await readyLine(child)
    const readyMs = performance.now() - startedMs
    const token = (await readFile(join(line.state, 'machine.token'), 'utf8')).trim()
    return {
      url: line.url,
      ops: line.ops,
      pid: line.pid,
      headers: { authorization: `Bearer ${token}` },
      readyMs,
      firstHealthMs: await healthy,
      firstStatusMs: await shown,
      stop: () => stopChild(child),
    }
  } catch (error) {
    await stopChild(child)
    throw error
  }
}

/** Runs a work against a daemon that starts on a world, with a new state area unless one is given, and stops afterwards. */
export const withDaemon = async <A>(
  folder: string,
  options: Omit<DaemonOptions, 'state'> & { readonly state?: string },
  work: (daemon: BenchDaemon) => A | Promise<A>,
): Promise<A> => {
  const state = options.state ?? (await mkdtemp(join(folder, 'state-')))
  const daemon = await startBenchDaemon({ ...options, state })
  try {
    return await work(daemon)
  } finally {
    await daemon.stop()
  }
}

/** Resident memory of a process in MB; null where the system does not tell. `VmRSS` now, `VmHWM` at its highest. */
export const memoryMb = async (pid: number, key: 'VmRSS' | 'VmHWM'): Promise<number | null> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const found = new RegExp(`^${key}:\\s+(\\d+) kB`, 'mu').exec(status)
  return found === null ? null : Number(found[1]) / 1024
}

/** Processor time that a process has used, in ms; null where the system does not tell. Linux counts hundredths. */
export const processorMs = async (pid: number): Promise<number | null> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [Number(fields[11] ?? 'none'), Number(fields[12] ?? 'none')]
  return Number.isNaN(user + system) ? null : (user + system) * 10
}
