import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { processorMs } from '#test/bench/daemon.js'
import { binary } from '#test/support/daemon.js'
import { bars, heapMb, reasonToGiveUp } from './bars.js'
import { probeArgs, probeOf, type Reading } from './probe.js'

const Ready = t.type({ ready: t.literal(true), url: t.string, ops: t.string, pid: t.number, state: t.string })

/** The built daemon under attack, in a bounded heap. */
export interface AttackSubject {
  readonly pid: number
  readonly port: number
  readonly opsPort: number
  readonly repo: string
  readonly state: string
  /** Its machine token. */
  readonly token: string
  /** Processor time from the start until the first answer that needs the lore, ms. */
  readonly loadMs: number
  readonly read: () => Promise<Reading | null>
  /** The same after a collection of garbage. */
  readonly settle: () => Promise<Reading | null>
  /** Processor time of the process so far, ms, as the system counts it; answers while its loop is blocked. */
  readonly spentMs: () => Promise<number>
  /** Processor time of its main thread so far, ms. */
  readonly mainMs: () => number
  /** How long its main thread has waited for a processor that others had, ms. */
  readonly starvedMs: () => number
  /** Why it is gone; null while it lives. */
  readonly ended: () => string | null
  readonly complaint: () => string
  /** Ends it politely, or at once; returns the exit code. */
  readonly stop: (atOnce?: boolean) => Promise<number | null>
}

export type Started = { readonly _tag: 'Started'; readonly subject: AttackSubject } | NotStarted
interface NotStarted {
  readonly _tag: 'NotStarted'
  readonly reason: string
}

const stopLimitMs = 30_000
const pollMs = 250

const endedOf = (child: ChildProcess): string | null => {
  if (child.exitCode !== null) return `exit code ${child.exitCode}`
  return child.signalCode === null ? null : `signal ${child.signalCode}`
}

const stopChild = async (child: ChildProcess, atOnce: boolean): Promise<number | null> => {
  if (endedOf(child) !== null) return child.exitCode
  const gone = once(child, 'exit')
  child.kill(atOnce ? 'SIGKILL' : 'SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
  await gone
  clearTimeout(late)
  return child.exitCode
}

/** Resolves with the ready line, or with why there will be none. */
const readyLine = (child: ChildProcess, stdout: NodeJS.ReadableStream): Promise<string | { why: string }> =>
  new Promise(resolve => {
    let said = ''
    const beganMs = performance.now()
    const watch = setInterval(() => {
      void processorMs(child.pid ?? 0).then(ms => {
        const why = reasonToGiveUp(ms ?? 0, performance.now() - beganMs, 1.5 * bars.loadMs)
        if (why !== null) finish({ why: `not ready after ${why}` })
      })
    }, pollMs)
    const finish = (outcome: string | { why: string }): void => {
      clearInterval(watch)
      resolve(outcome)
    }
    stdout.on('data', (part: Buffer) => {
      said += part.toString('utf8')
      const [line, rest] = said.split('\n')
      if (line !== undefined && rest !== undefined) finish(line)
    })
    child.once('exit', () => finish({ why: `ended before it was ready: ${endedOf(child) ?? ''}` }))
  })

/**
 * How long the main thread ran, and waited for a processor, ms. From outside, so that a loop that does not turn is
 * measured too; not a number where the process is gone.
 */
const mainThreadOf = (pid: number, field: 'ran' | 'waited'): number => {
  try {
    const [ran, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')
    return Number(field === 'ran' ? ran : waited) / 1e6
  } catch {
    return Number.NaN
  }
}

/**
 * Waits until the daemon answers from the lore. The forms of names are made after the ready line
 * (docs/spec/running.md): they are a part of the load, and no request causes them. What goes wrong here goes wrong
 * again at the first request that is judged.
 */
const endLoad = async (url: string, token: string): Promise<void> => {
  await fetch(`${url}/entities/x`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(bars.loadMs),
  })
    .then(answer => answer.text())
    .catch(() => '')
}

const portOf = (url: string): number => Number(new URL(url).port)

/** Files that the daemon may have open: what a service manager gives by default. */
export const subjectFilesMax = 1_024

/** Starts the daemon on a repository. The caller stops it. */
export const startAttackSubject = async (
  repo: string,
  env: Readonly<Record<string, string>> = {},
  options: ReadonlyArray<string> = [],
  filesMax = subjectFilesMax,
): Promise<Started> => {
  const node = [`--max-old-space-size=${heapMb}`, ...probeArgs]
  const command = [process.execPath, ...node, binary, 'serve', '--repo', repo, '--port', '0', ...options]
  const child = spawn('bash', ['-c', 'ulimit -n "$0" && exec "$@"', String(filesMax), ...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('a child without its pipes')
  let complaint = ''
  stderr.on('data', (part: Buffer) => {
    complaint = `${complaint}${part.toString('utf8')}`.slice(-4_000)
  })
  const probe = probeOf(child)
  const line = await readyLine(child, stdout)
  const failed = async (reason: string): Promise<NotStarted> => {
    await stopChild(child, true)
    return { _tag: 'NotStarted', reason: `${reason}: ${complaint.slice(-400)}` }
  }
  if (typeof line !== 'string') return failed(line.why)
  const ready = Ready.decode(JSON.parse(line))
  if (isLeft(ready)) return failed(`not a ready line: ${line}`)
  const { pid, url, ops, state } = ready.right
  const spentMs = async (): Promise<number> => (await processorMs(pid)) ?? Number.NaN
  const read = async (collect: boolean): Promise<Reading | null> => {
    const [fromMs, beganMs] = [await spentMs(), performance.now()]
    const isOver = async (): Promise<boolean> =>
      reasonToGiveUp((await spentMs()) - fromMs, performance.now() - beganMs) !== null
    return probe.read(collect, isOver)
  }
  const token = readFileSync(join(state, 'machine.token'), 'utf8').trim()
  await endLoad(url, token)
  const loaded = await read(false)
  const subject: AttackSubject = {
    pid,
    port: portOf(url),
    opsPort: portOf(ops),
    repo,
    state,
    token,
    loadMs: loaded?.cpuMs ?? Number.NaN,
    read: () => read(false),
    settle: () => read(true),
    spentMs,
    mainMs: () => mainThreadOf(pid, 'ran'),
    starvedMs: () => mainThreadOf(pid, 'waited'),
    ended: () => endedOf(child),
    complaint: () => complaint,
    stop: (atOnce = false) => stopChild(child, atOnce),
  }
  return { _tag: 'Started', subject }
}
