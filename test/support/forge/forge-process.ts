import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as t from 'io-ts'
import { root } from '#test/tidy/sources.js'
import type { ForgeFault } from './forge-faults.js'

const Ready = t.type({ remote: t.string, apiUrl: t.string, project: t.string, token: t.string })

const ShownRequest = t.type({
  iid: t.number,
  title: t.string,
  description: t.string,
  state: t.keyof({ opened: null, closed: null, merged: null }),
  source: t.string,
  isSquashed: t.boolean,
})
export type ShownRequest = t.TypeOf<typeof ShownRequest>

const Shown = t.type({ requests: t.readonlyArray(ShownRequest) })

/** A forge double as a process of its own: the remote of git, and the forge. */
export interface ForgeProcess extends t.TypeOf<typeof Ready> {
  readonly requests: () => Promise<ReadonlyArray<ShownRequest>>
  readonly disturb: (...faults: ReadonlyArray<ForgeFault>) => Promise<void>
  readonly stop: () => Promise<void>
}

export interface ForgeProcessOptions {
  /** The flags of `npm run forge-double` behind `--repo`. */
  readonly flags?: ReadonlyArray<string>
  /** The start of the command, such as that of a network namespace. */
  readonly within?: ReadonlyArray<string>
  /** In a group of its own, which lives on when the group of a daemon or of the test is killed. */
  readonly detached?: boolean
  /** Records the process, and returns the port of the loopback under which it is reached. */
  readonly attach?: (running: { readonly pid: number; readonly port: number }) => number
}

const readyLine = (child: ChildProcess, stdout: NodeJS.ReadableStream): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    stdout.on('data', (part: Buffer) => {
      said += part.toString('utf8')
      if (said.includes('\n')) resolve(said.split('\n')[0] ?? '')
    })
    child.once('error', reject)
    child.once('exit', code =>
      reject(new Error(`the forge double ended with ${code ?? 'a signal'}: ${said}`)),
    )
  })

const readReady = async (
  child: ChildProcess,
  stdout: NodeJS.ReadableStream,
): Promise<t.TypeOf<typeof Ready>> => {
  const line = await readyLine(child, stdout)
  const ready: unknown = JSON.parse(line)
  if (!Ready.is(ready)) throw new Error(`the forge double does not print its addresses but ${line}`)
  return ready
}

/** Starts the double over a bare repository. */
export const startForgeProcess = async (
  bare: string,
  { flags = [], within = [], detached = false, attach = ({ port }) => port }: ForgeProcessOptions = {},
): Promise<ForgeProcess> => {
  const script = fileURLToPath(new URL('run.ts', import.meta.url))
  const [program = '', ...args] = [
    ...within,
    ...[process.execPath, '--conditions=source', '--import', 'tsx', script, '--repo', bare, ...flags],
  ]
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached })
  const ended = new Promise<void>(resolve => void child.once('exit', () => resolve()))
  const ready = await readReady(child, child.stdout).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  const port = attach({ pid: child.pid ?? 0, port: Number(new URL(ready.remote).port) })
  const control = async (init: RequestInit = {}): Promise<ReadonlyArray<ShownRequest>> => {
    const shown: unknown = await (await fetch(`http://127.0.0.1:${port}/-/double`, init)).json()
    if (!Shown.is(shown)) throw new Error('the forge double shows no requests')
    return shown.requests
  }
  return {
    ...ready,
    requests: () => control(),
    disturb: async (...faults) => {
      await control({ method: 'POST', body: JSON.stringify(faults) })
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
