import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchDaemon } from '../daemon.js'
import { epochMs } from './platform.js'

/** One interaction that was forwarded: Unix milliseconds with fractions. */
export interface ForwardedDispatch {
  readonly token: string
  readonly sentMs: number
  readonly answeredMs: number
  /** False where no 202 of a new interaction came: a slow node refuses what is stale, and a connection may end. */
  readonly isAccepted: boolean
}

/** The account that the query is of. */
export const benchAccount = '700100200300400500'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
let count = 0

/** Ends the connections, so that the process can leave. */
export const closeConnections = (): void => agent.destroy()

/** Forwards a new query. Never rejects. */
export const forwardQuery = ({
  url,
  headers,
}: Pick<BenchDaemon, 'url' | 'headers'>): Promise<ForwardedDispatch> => {
  count += 1
  const token = `token-${count}`
  const body = JSON.stringify({
    interactionId: String(900_000_000_000 + count),
    kind: 'query',
    sentAtEpochMs: Date.now(),
    vars: {
      SVC_QUERY_INTENT: 'pu',
      SVC_QUERY_CHAT_ID: benchAccount,
      SVC_INTERACTION_TOKEN: token,
      SVC_APPLICATION_ID: '42',
    },
  })
  const sentMs = epochMs()
  return new Promise(resolve => {
    const length = Buffer.byteLength(body)
    const asked = request(
      `${url}/chat/dispatch`,
      {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
      },
      response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
        })
        response.on('end', () => {
          const isAccepted = response.statusCode === 202 && text.includes('"duplicate":false')
          resolve({ token, sentMs, answeredMs: epochMs(), isAccepted })
        })
      },
    )
    asked.on('error', () => resolve({ token, sentMs, answeredMs: epochMs(), isAccepted: false }))
    asked.end(body)
  })
}

/** Forwards queries at a rate, whether the earlier ones are answered or not, until `goesOn` is false. */
export const forwardAtRate = async (
  daemon: BenchDaemon,
  perSecond: number,
  goesOn: () => boolean,
): Promise<ReadonlyArray<ForwardedDispatch>> => {
  const asked: Array<Promise<ForwardedDispatch>> = []
  const startedMs = performance.now()
  while (goesOn()) {
    const due = ((performance.now() - startedMs) * perSecond) / 1_000
    while (asked.length < due) asked.push(forwardQuery(daemon))
    await pause(1)
  }
  return Promise.all(asked)
}

/** Forwards queries, some at a time, until as many are accepted. */
export const forwardMany = async (daemon: BenchDaemon, many: number): Promise<void> => {
  let left = many
  const forwardOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const { isAccepted } = await forwardQuery(daemon)
      if (!isAccepted) left += 1
    }
  }
  await Promise.all(Array.from({ length: 16 }, forwardOn))
}

export const answerMsOf = ({ sentMs, answeredMs }: ForwardedDispatch): number => answeredMs - sentMs
