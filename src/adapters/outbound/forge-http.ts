import { isLeft } from 'fp-ts/lib/Either.js'
import type { ForgeWire } from '#protocol/forge.js'
import { type ForgeReply, forgeWire, projectIdIn, readForgeAnswer } from '#src/domain/forge/wire.js'
import type { ForgePort } from '#src/ports/forge.js'
import type { Secret } from '#src/ports/identity.js'
import { type Exchanged, exchange, type OutgoingRequest } from './exchange.js'

/** Twenty requests with their descriptions are about 200 KiB. A longer trace of a job is not read. */
const bytesMax = 1024 * 1024

export interface ForgeHttp {
  /** Of the project, from `projectAddress`. */
  readonly address: string
  readonly token: Secret
  readonly userAgent: string
  /** Wall time. */
  readonly nowMs: () => number
}

const requestOf = ({ token, userAgent }: ForgeHttp, { method, body }: ForgeWire): OutgoingRequest => ({
  method,
  headers: {
    accept: 'application/json',
    'private-token': token.reveal(),
    'user-agent': userAgent,
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  },
  body,
})

const replyOf = (answer: Exchanged): ForgeReply =>
  answer._tag === 'NoAnswer'
    ? { _tag: 'NoReply', failure: answer.reason }
    : {
        _tag: 'Reply',
        status: answer.status,
        date: answer.headers.date,
        retryAfter: answer.headers['retry-after'],
        text: isLeft(answer.body) ? null : answer.body.right.toString('utf8'),
      }

/** Calls GitLab's REST interface over `send`. A refusal is decided by its status; its body is not read. */
export const forgeHttp =
  (setup: ForgeHttp, send: typeof exchange = exchange): ForgePort =>
  async (call, timeoutMs, signal) => {
    const wire = forgeWire(call, projectIdIn(setup.address))
    const limits = { timeoutMs, bytesMax, readsBody: (status: number) => status >= 200 && status < 300 }
    const address = new URL(`${setup.address}${wire.path}`)
    const answer = await send(address, requestOf(setup, wire), limits, signal)
    return readForgeAnswer(call._tag, replyOf(answer), setup.nowMs())
  }
