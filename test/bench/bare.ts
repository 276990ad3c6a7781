import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'

/** An answer as it went over the wire: the body is not unpacked. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** One GET whose body is kept as sent. */
export const rawGet = (url: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers }, answer => {
      const parts: Array<Buffer> = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
          ),
          body: Buffer.concat(parts),
        }),
      )
    })
    asked.on('error', reject)
    asked.end()
  })

/** Headers that the twin's own connection sets. */
const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
])

export interface Bare {
  readonly url: (path: string) => string
  readonly pid: number
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
export const startBare = async (folder: string, answers: ReadonlyMap<string, RawAnswer>): Promise<Bare> => {
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
    pid: child.pid ?? 0,
    stop: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
