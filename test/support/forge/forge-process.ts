import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as t from 'io-ts'
import { root } from '#test/tidy/sources.js'

const Ready = t.type({ remote: t.string, apiUrl: t.string, project: t.string, token: t.string })

const Request = t.type({
  iid: t.number,
  state: t.keyof({ opened: null, closed: null, merged: null }),
  source: t.string,
  description: t.string,
})
export type ProcessRequest = t.TypeOf<typeof Request>

const Told = t.type({ requests: t.readonlyArray(Request) })

/** A forge double as a process of its own, which lives on when a daemon is killed. */
export interface ForgeProcess extends t.TypeOf<typeof Ready> {
  readonly requests: () => Promise<ReadonlyArray<ProcessRequest>>
  readonly stop: () => void
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (part: Buffer) => {
      said += part.toString('utf8')
      if (said.includes('\n')) resolve(said.split('\n')[0] ?? '')
    })
    child.once('exit', () => reject(new Error('the forge double did not start')))
  })

/** Starts the double over a bare repository. */
export const startForgeProcess = async (bare: string): Promise<ForgeProcess> => {
  const program = fileURLToPath(new URL('run.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--import', 'tsx', program, '--repo', bare],
    // A group of its own: it does not die with the group of a daemon or of the test.
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  )
  const ready: unknown = JSON.parse(await firstLine(child))
  if (!Ready.is(ready)) throw new Error('the forge double said something else than where it listens')
  return {
    ...ready,
    requests: async () => {
      const answer: unknown = await (await fetch(`${new URL(ready.apiUrl).origin}/-/double`)).json()
      if (!Told.is(answer)) throw new Error('the forge double does not tell its requests')
      return answer.requests
    },
    stop: () => void child.kill('SIGTERM'),
  }
}
