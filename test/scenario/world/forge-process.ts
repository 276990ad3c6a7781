import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { ForgeFault } from '#test/support/forge/forge-faults.js'
import { root } from '#test/tidy/sources.js'
import { forgePlace, type Network } from './network.js'

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

/** The forge double as a process of its own: the remote of git, and the forge. */
export interface ForgeProcess {
  /** Paths of its URLs. */
  readonly remotePath: string
  readonly apiPath: string
  readonly project: string
  readonly token: string
  readonly requests: () => Promise<ReadonlyArray<ShownRequest>>
  readonly disturb: (...faults: ReadonlyArray<ForgeFault>) => Promise<void>
  readonly stop: () => Promise<void>
}

const readyLine = (child: ChildProcess, stdout: NodeJS.ReadableStream): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    stdout.on('data', (part: Buffer) => {
      said += part.toString('utf8')
      if (said.includes('\n')) resolve(said.split('\n')[0] ?? '')
    })
    child.once('exit', code =>
      reject(new Error(`the forge double ended with ${code ?? 'a signal'}: ${said}`)),
    )
  })

/** Starts the double over a bare repository, in a network. `flags` are those of `npm run forge-double`. */
export const startForge = async (
  repository: string,
  network: Network,
  flags: ReadonlyArray<string> = [],
): Promise<ForgeProcess> => {
  const script = ['--conditions=source', '--import', 'tsx', 'test/support/forge/run.ts']
  const port = network.portOf(forgePlace)
  const command = [process.execPath, ...script, '--repo', repository, '--port', String(port), ...flags]
  const [program = '', ...args] = [...network.within(forgePlace), ...command]
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const read = Ready.decode(JSON.parse(await readyLine(child, child.stdout)))
  if (isLeft(read)) throw new Error('the forge double said something else than its addresses')
  const { remote, apiUrl, project, token } = read.right
  const { port: listensAt, pathname: remotePath } = new URL(remote)
  const running = { pid: child.pid ?? 0, port: Number(listensAt) }
  network.attach(forgePlace, running)
  const origin = `http://127.0.0.1:${network.storyPort(forgePlace, running)}`
  const control = async (init: RequestInit = {}): Promise<ReadonlyArray<ShownRequest>> => {
    const shown = Shown.decode(await (await fetch(`${origin}/-/double`, init)).json())
    if (isLeft(shown)) throw new Error('the forge double shows no requests')
    return shown.right.requests
  }
  return {
    remotePath,
    apiPath: new URL(apiUrl).pathname,
    project,
    token,
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
