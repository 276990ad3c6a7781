import { isLeft } from 'fp-ts/lib/Either.js'
import type { ForgeAnswer, ForgeWire } from '#protocol/host/forge.js'
import { type ForgeReply, forgeWire, projectIdIn, readForgeAnswer } from '#src/domain/forge/wire.js'
import type { ForgePort } from '#src/ports/fleet.js'
import type { Secret } from '#src/ports/identity.js'
import { type Exchanged, exchange, type OutgoingRequest } from './exchange.js'

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

/**
 * A port that makes no call while the forge asks for a pause: it returns the answer that asked for it. For callers
 * that do not keep the wait themselves. `monotonicMs` reads the monotonic clock.
 */
export const pauseForge = (port: ForgePort, monotonicMs: () => number): ForgePort => {
  let last: { readonly answer: ForgeAnswer; readonly untilMs: number } | null = null
  return async (...call) => {
    if (last !== null && monotonicMs() < last.untilMs) return last.answer
    const answer = await port(...call)
    const pauseMs = pauseOf(answer)
    last = pauseMs === 0 ? null : { answer, untilMs: monotonicMs() + pauseMs }
    return answer
  }
}

/** Twenty requests with their descriptions are about 200 KiB. A longer trace of a job is not read. */
const bytesMax = 1024 * 1024

interface ForgeHttp {
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

/** The wait that an answer asks for, in ms; 0: none. */
const pauseOf = ({ outcome }: ForgeAnswer): number =>
  outcome._tag === 'Limited' || outcome._tag === 'Faulty' ? (outcome.waitMs ?? 0) : 0
