import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '#test/support/daemon.js'
import { type Client, clientOf } from '#test/support/http-client.js'
import type { Serving } from './place.js'

/** Whom a kill hits: the daemon with every git it started (a power cut), or the daemon alone (its children live on, F7). */
export type Victim = 'group' | 'daemon'

/** A built daemon in a process group of its own. */
export interface KillSubject {
  readonly pid: number
  /** Lets a daemon that was started `held` begin. */
  readonly go: () => void
  /** Its client once it is ready; null when it ended first, or the time was up. */
  readonly ready: Promise<Client | null>
  readonly kill: (victim: Victim) => void
  readonly gone: Promise<unknown>
  readonly complaint: () => string
}

const readyLimitMs = 90_000

const portOf = (line: string): { readonly port: number; readonly state: string } | null => {
  const url = /"url":"http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
  const state = /"state":"([^"]+)"/.exec(line)?.[1]
  return url === undefined || state === undefined ? null : { port: Number(url), state }
}

const readyClient = (child: ChildProcess, stdout: NodeJS.ReadableStream): Promise<Client | null> =>
  new Promise(resolve => {
    const timer = setTimeout(() => resolve(null), readyLimitMs)
    const finish = (client: Client | null): void => {
      clearTimeout(timer)
      resolve(client)
    }
    let said = ''
    stdout.on('data', (part: Buffer) => {
      said += part.toString('utf8')
      const ready = said.includes('\n') ? portOf(said) : null
      if (ready === null) return
      const token = readFileSync(join(ready.state, 'machine.token'), 'utf8').trim()
      finish(clientOf({ port: ready.port, token, recorded: false }))
    })
    child.once('exit', () => finish(null))
  })

/** Sends a signal to a process or, with a negative id, a group; that it is gone already is no matter. */
const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Starts the daemon on a repository; `held` waits for `go`, so that its first call can be traced. */
export const startSubject = (
  repo: string,
  held: boolean,
  { args, env }: Serving = { args: [], env: {} },
): KillSubject => {
  const serve = ['serve', '--repo', repo, '--port', '0', ...args]
  const child = spawn(
    'sh',
    ['-c', held ? 'read -r go; exec "$@"' : 'exec "$@"', 'held', process.execPath, binary, ...serve],
    { stdio: ['pipe', 'pipe', 'pipe'], detached: true, env: { ...process.env, ...env } },
  )
  const { pid } = child
  if (pid === undefined) throw new Error('sh did not start')
  let complaint = ''
  child.stderr.on('data', (part: Buffer) => {
    complaint = `${complaint}${part.toString('utf8')}`.slice(-2000)
  })
  child.stdin.on('error', () => undefined)
  return {
    pid,
    go: () => void child.stdin.write('go\n'),
    ready: readyClient(child, child.stdout),
    kill: victim => signal(victim === 'group' ? -pid : pid, 'SIGKILL'),
    gone: once(child, 'exit'),
    complaint: () => complaint,
  }
}
