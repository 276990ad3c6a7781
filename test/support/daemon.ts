import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { tellCommits, tellState, tellTitles } from '#test/support/secrets/secret-places.js'
import { onExchange } from '#test/support/secrets/secret-traffic.js'
import { secrets } from '#test/support/secrets/secrets.js'
import { root } from '#test/tidy/sources.js'
import { observe } from './observations.js'

const DaemonReady = t.strict({
  ready: t.literal(true),
  url: t.string,
  ops: t.string,
  pid: t.number,
  town: t.string,
  state: t.string,
})
export type DaemonReady = t.TypeOf<typeof DaemonReady>

/** The built command; `npm test` builds it first. */
export const binary = join(root, 'dist/src/main.js')

export interface Daemon {
  readonly ready: DaemonReady
  readonly token: string
  readonly process: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Sends a signal and waits for the end; returns the exit code, null when the signal itself ended it. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

export interface DaemonExit {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * How long a test waits for something that must happen. It only ends a test that hangs: on a machine twenty
 * times slower everything still happens in time. A test that something happens soon must show it in another
 * way.
 */
export const patienceMs = 90_000

const readyOf = (stdout: string): DaemonReady | null => {
  const line = stdout.split('\n')[0]
  if (line === undefined || !stdout.includes('\n')) return null
  const decoded = DaemonReady.decode(JSON.parse(line))
  return isLeft(decoded) ? null : decoded.right
}

/** Registers the secrets that a test passes to a process. */
/** The environment of the tests without settings of git, which a machine may have and the host says that it cuts. */
const withoutGit = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')),
)

const plantEnvironment = (env: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(env))
    if (/^SVC_.*(?:TOKEN|KEY|SECRET)$/.test(name)) secrets.plant(name, value)
}

/** Searches the output of a daemon for secrets at its end. */
const tellEnd = (args: ReadonlyArray<string>, state: string | null, stdout: string, stderr: string): void => {
  const repository = args[args.indexOf('--repo') + 1]
  if (state !== null) tellState(secrets, state)
  secrets.told('stdout of a daemon', stdout)
  secrets.told('stderr of a daemon', stderr)
  if (repository !== undefined && args.includes('--repo')) tellCommits(secrets, repository)
}

/** What a daemon is started in. */
export interface DaemonFrame {
  /** Its limit of open files, soft and hard. */
  readonly openFilesMax?: number
  /** The start of a command that replaces itself by the rest of it, such as `ip netns exec NAME`. */
  readonly within?: ReadonlyArray<string>
}

/** The command that runs the built daemon in its frame. */
const commandOf = (
  args: ReadonlyArray<string>,
  { openFilesMax, within = [] }: DaemonFrame,
): readonly [program: string, args: ReadonlyArray<string>] => {
  const limits =
    openFilesMax === undefined ? [] : ['bash', '-c', 'ulimit -n "$0" && exec "$@"', String(openFilesMax)]
  const [program = process.execPath, ...rest] = [...within, ...limits, process.execPath, binary, ...args]
  return [program, rest]
}

/** Starts the built daemon and waits for its ready line; rejects with its output when it ends first. */
export const startDaemon = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  frame: DaemonFrame = {},
): Promise<Daemon> =>
  new Promise((resolve, reject) => {
    if (!existsSync(binary)) return reject(new Error('dist/ is not built: run `npm run build` or `npm test`'))
    const [program, programArgs] = commandOf(args, frame)
    const child = spawn(program, programArgs, {
      env: { ...withoutGit, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    let state: string | null = null
    plantEnvironment(env)
    const ended = new Promise<number | null>(done =>
      child.once('close', (code: number | null) => {
        tellEnd(args, state, stdout, stderr)
        done(code)
      }),
    )
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`no ready line within ${patienceMs} ms: ${stderr}`))
    }, patienceMs)
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString('utf8')
    })
    child.stdout.on('data', (part: Buffer) => {
      stdout += part.toString('utf8')
      const ready = readyOf(stdout)
      if (ready === null) return
      clearTimeout(timer)
      state = ready.state
      const token = readFileSync(join(ready.state, 'machine.token'), 'utf8').trim()
      secrets.plant('a machine token', token)
      tellTitles(secrets, ready.pid)
      resolve({
        ready,
        token,
        process: child,
        stdout: () => stdout,
        stderr: () => stderr,
        stop: async (signal = 'SIGTERM') => {
          child.kill(signal)
          return ended
        },
      })
    })
    void ended.then(code => {
      clearTimeout(timer)
      reject(new Error(`ended with ${code ?? 'a signal'}: ${stderr}`))
    })
  })

/** Runs a command of the built daemon until it ends. */
export const runCommand = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
): Promise<DaemonExit> =>
  new Promise(resolve => {
    const child = spawn(process.execPath, [binary, ...args], {
      env: { ...withoutGit, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    plantEnvironment(env)
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    child.stdout.on('data', (part: Buffer) => {
      stdout += part.toString('utf8')
    })
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString('utf8')
    })
    child.once('close', code => {
      clearTimeout(timer)
      // `kronika token` prints the token that it mints: its stdout may contain a secret.
      if (args[0] !== 'token') secrets.told(`stdout of ${args[0] ?? 'a command'}`, stdout)
      secrets.told(`stderr of ${args[0] ?? 'a command'}`, stderr)
      resolve({ code, stdout, stderr })
    })
  })

export interface DaemonReply {
  readonly status: number
  readonly body: unknown
}

const requestDaemon = async (daemon: Daemon, path: string, init: RequestInit): Promise<DaemonReply> => {
  const response = await fetch(`${daemon.ready.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${daemon.token}`, 'content-type': 'application/json' },
  })
  const text = await response.text()
  const body: unknown = JSON.parse(text)
  const method = init.method ?? 'GET'
  const sent = typeof init.body === 'string' ? init.body : undefined
  const { status } = response
  onExchange(secrets, { method, target: `/v1/api${path}`, token: daemon.token, sent, status, text })
  observe({ method, target: `/v1/api${path}`, status: response.status, body, closed: true })
  return { status: response.status, body }
}

/** Reads a route of a daemon with its machine token. */
export const getJson = (daemon: Daemon, path: string): Promise<DaemonReply> => requestDaemon(daemon, path, {})

/** Posts a body to a route of a daemon with its machine token. */
export const postJson = (daemon: Daemon, path: string, body: unknown): Promise<DaemonReply> =>
  requestDaemon(daemon, path, { method: 'POST', body: JSON.stringify(body) })

/** Patches a route of a daemon with its machine token. */
export const patchJson = (daemon: Daemon, path: string, body: unknown): Promise<DaemonReply> =>
  requestDaemon(daemon, path, { method: 'PATCH', body: JSON.stringify(body) })

/** Calls `ask` until `holds` accepts the value, for at most `limitMs`. */
export const eventually = async <A>(
  ask: () => Promise<A>,
  holds: (value: A) => boolean,
  limitMs = patienceMs,
): Promise<A> => {
  const endMs = Date.now() + limitMs
  for (;;) {
    const value = await ask()
    if (holds(value)) return value
    if (Date.now() > endMs) throw new Error(`not so within ${limitMs} ms: ${JSON.stringify(value)}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
