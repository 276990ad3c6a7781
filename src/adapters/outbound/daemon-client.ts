import { type Either, left, right } from 'fp-ts/lib/Either.js'

/** An answer of a daemon: its status, and its JSON. */
export interface DaemonAnswer {
  readonly status: number
  readonly body: unknown
}

/** Calls the daemon on this machine; left: why there is no answer. */
export type AskDaemon = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  /** How long the answer may take: 10 s unless given. */
  limitMs?: number,
) => Promise<Either<string, DaemonAnswer>>

const answerLimitMs = 10_000

/** A client of the daemon at a loopback address, with the machine token. `ended` ends its calls. */
export const daemonClient =
  (url: string, token: string, ended: AbortSignal = new AbortController().signal): AskDaemon =>
  async (method, path, body, limitMs = answerLimitMs) => {
    try {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        redirect: 'error',
        signal: AbortSignal.any([ended, AbortSignal.timeout(limitMs)]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return right({ status: answer.status, body: await answer.json() })
    } catch (error) {
      return left(error instanceof Error ? error.message : String(error))
    }
  }
