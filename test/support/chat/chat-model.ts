import type { ChatCall, Heard, LimitScope } from '#protocol/chat/platform.js'
import { type LimitRules, noLimits } from '#src/domain/chat/limits.js'
import {
  type ChatOutcome,
  enqueueCall,
  type Outbox,
  receiveAnswer,
  startNextCall,
  type Turn,
} from '#src/domain/chat/outbox.js'

/** What the modelled platform does with one call. */
export interface ChatBehaviour {
  readonly latencyMs: number
  readonly kind: 'ok' | 'untold' | 'lost' | 'fails' | 'forbids' | 'unknown' | 'limits'
  readonly scope: LimitScope
  readonly waitMs: number
  readonly form: 'header' | 'body' | 'date' | 'both'
}

export interface CallArrival {
  readonly atMs: number
  readonly call: ChatCall
  readonly budgetMs: number
}

/** One call as the modelled platform saw it; `told` is its answer. */
export interface Seen {
  readonly call: ChatCall
  readonly startMs: number
  readonly endMs: number
  readonly kind: ChatBehaviour['kind']
  readonly isInvalid: boolean
  readonly bucket: string
  readonly told: { readonly remaining: number; readonly untilMs: number } | null
  readonly held: { readonly scope: LimitScope; readonly untilMs: number } | null
}

export interface ChatRun {
  readonly seen: ReadonlyArray<Seen>
  readonly answers: ReadonlyMap<
    number,
    ReadonlyArray<{ readonly outcome: ChatOutcome; readonly atMs: number }>
  >
}

export interface Shape {
  readonly limit: number
  readonly windowMs: number
  readonly hashOf: (call: ChatCall) => string
  readonly behaviour: (index: number) => ChatBehaviour
}

const wallMs = Date.UTC(2026, 0, 1)

/** Windows of `limit` calls, each beginning with the first call after the previous window. */
const windows = ({ limit, windowMs }: Shape) => {
  const open = new Map<string, { readonly sinceMs: number; readonly count: number }>()
  return (key: string, nowMs: number): { readonly remaining: number; readonly resetAtMs: number } => {
    const before = open.get(key)
    const sinceMs = before === undefined || nowMs >= before.sinceMs + windowMs ? nowMs : before.sinceMs
    const count = before?.sinceMs === sinceMs ? before.count + 1 : 1
    open.set(key, { sinceMs, count })
    return { remaining: Math.max(0, limit - count), resetAtMs: sinceMs + windowMs }
  }
}

const rateLimitAnswer = ({ scope, waitMs, form }: ChatBehaviour, nowMs: number): Heard => {
  const seconds = waitMs / 1000
  const date = new Date(wallMs + nowMs + waitMs + 999).toUTCString()
  const inHeader = form === 'date' ? date : form === 'body' ? null : String(seconds)
  const inBody = form === 'body' || form === 'both' ? { retry_after: seconds } : {}
  return {
    _tag: 'Answer',
    status: 429,
    headers: {
      'x-ratelimit-scope': scope,
      ...(scope === 'global' ? { 'x-ratelimit-global': 'true' } : {}),
      ...(inHeader === null ? {} : { 'retry-after': inHeader }),
    },
    text: JSON.stringify({ message: 'slow down', code: 0, global: scope === 'global', ...inBody }),
  }
}

const statuses = { ok: 200, untold: 200, fails: 502, forbids: 403, unknown: 401 } as const

/** Runs an outbox against a modelled platform, event by event, until nothing is left to do. */
export const runModel = (shape: Shape, rules: LimitRules, arrivals: ReadonlyArray<CallArrival>): ChatRun => {
  const count = windows(shape)
  const seen: Array<Seen> = []
  const answers = new Map<number, Array<{ readonly outcome: ChatOutcome; readonly atMs: number }>>()
  const coming = arrivals.map((arrival, index) => ({ ...arrival, index })).sort((a, b) => a.atMs - b.atMs)
  let outbox: Outbox<number> = { limits: noLimits, waiting: [], inFlight: null }
  const next: { wakeAtMs: number | null } = { wakeAtMs: null }
  const flights: Array<{ readonly atMs: number; readonly what: Heard }> = []
  let nowMs = 0

  const answerTo = (call: ChatCall, timeoutMs: number): { readonly atMs: number; readonly what: Heard } => {
    const behaviour = shape.behaviour(seen.length)
    const bucket = `${shape.hashOf(call)} ${call.major}`
    const kind: ChatBehaviour['kind'] = behaviour.latencyMs >= timeoutMs ? 'lost' : behaviour.kind
    const endMs = nowMs + (kind === 'lost' ? timeoutMs : behaviour.latencyMs)
    const state = count(bucket, nowMs)
    const common = { call, startMs: nowMs, endMs, kind, bucket }
    if (kind === 'lost') {
      seen.push({ ...common, isInvalid: false, told: null, held: null })
      return { atMs: endMs, what: { _tag: 'NoAnswer', reason: 'timeout' } }
    }
    if (kind === 'limits') {
      const held = { scope: behaviour.scope, untilMs: endMs + behaviour.waitMs }
      seen.push({ ...common, isInvalid: behaviour.scope !== 'shared', told: null, held })
      return { atMs: endMs, what: rateLimitAnswer(behaviour, endMs) }
    }
    const isTold = kind === 'ok'
    const untilMs = Math.max(endMs, state.resetAtMs)
    const isInvalid = kind === 'forbids' || kind === 'unknown'
    seen.push({
      ...common,
      isInvalid,
      told: isTold ? { remaining: state.remaining, untilMs } : null,
      held: null,
    })
    const headers = {
      'x-ratelimit-bucket': shape.hashOf(call),
      'x-ratelimit-limit': String(shape.limit),
      'x-ratelimit-remaining': String(state.remaining),
      'x-ratelimit-reset-after': String((untilMs - endMs) / 1000),
    }
    const status = statuses[kind]
    return { atMs: endMs, what: { _tag: 'Answer', status, headers: isTold ? headers : {}, text: '{}' } }
  }

  const take = (turn: Turn<number>): void => {
    outbox = turn.outbox
    next.wakeAtMs = turn.wakeAtMs
    for (const { replyTo, outcome } of turn.answered)
      answers.set(replyTo, [...(answers.get(replyTo) ?? []), { outcome, atMs: nowMs }])
    if (turn.begin !== null) flights.push(answerTo(turn.begin.call, turn.begin.timeoutMs))
  }

  for (;;) {
    const [flight] = flights
    const nextMs = Math.min(coming[0]?.atMs ?? Infinity, flight?.atMs ?? Infinity, next.wakeAtMs ?? Infinity)
    if (nextMs === Infinity) return { seen, answers }
    nowMs = Math.max(nowMs, nextMs)
    const now = { nowMs: wallMs + nowMs, monotonicMs: nowMs, chance: 0.5 }
    if (flight !== undefined && flight.atMs <= nowMs) {
      flights.shift()
      take(receiveAnswer(outbox, flight.what, rules, now))
    } else if (coming[0] !== undefined && coming[0].atMs <= nowMs) {
      const { call, budgetMs, index } = coming[0]
      coming.shift()
      const entry = { call, deadlineAtMs: nowMs + budgetMs, attempts: 0, notBeforeMs: 0, replyTo: index }
      take(enqueueCall(outbox, entry, rules, now))
    } else take(startNextCall(outbox, rules, now))
  }
}
