import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchDaemon } from './daemon.js'

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

type Asked = Pick<BenchDaemon, 'url' | 'headers'>

/** What a failed `fetch` is about stands in its cause. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** Posts a JSON body; the text of the answer. Rejects with the words of the node where the status is no 2xx, or without an answer. */
export const postJson = async ({ url, headers }: Asked, path: string, body: unknown): Promise<string> => {
  try {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (answer.ok) return text
    throw new Error(`${answer.status} ${text.slice(0, 500)}`)
  } catch (error) {
    throw new Error(`POST ${path}: ${reasonOf(error)}`)
  }
}

/** Asks a node to converge; the text of its answer. */
export const askToConverge = (daemon: Asked): Promise<string> => postJson(daemon, '/sync', {})

const betweenMs = 5

/** Milliseconds of each `GET /health`, one after another, while `goesOn` says so. */
export const healthTimes = async (daemon: Asked, goesOn: () => boolean): Promise<ReadonlyArray<number>> => {
  const seen: Array<number> = []
  while (goesOn()) {
    const startedMs = performance.now()
    await rawGet(`${daemon.url}/health`, daemon.headers)
    seen.push(performance.now() - startedMs)
    await pause(betweenMs)
  }
  return seen
}

/** The same for a time. */
export const healthTimesFor = (daemon: Asked, ms: number): Promise<ReadonlyArray<number>> => {
  const endMs = performance.now() + ms
  return healthTimes(daemon, () => performance.now() < endMs)
}

/** The same while `work` runs, and until it fails. */
export const healthTimesDuring = async (
  daemon: Asked,
  work: Promise<unknown>,
): Promise<ReadonlyArray<number>> => {
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  const [times] = await Promise.all([healthTimes(daemon, () => !isOver), ended])
  return times
}
