import { type Either, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { RefusalOf } from '#protocol/refusal.js'
import type { LogFault } from '#protocol/transcripts/log-writes.js'
import { PlainData } from '#src/domain/codecs/plain-data.js'
import { type Actor, beside, ready, reply, type Step } from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyTo } from '#src/kernel/actor/ref.js'
import type { LogRequest, TakeLog, TakenLog } from '#src/ports/log-fetching.js'

/** A value of this process with a field, which is data. A message comes from nowhere else, so no more is checked. */
const dataWith = <A>(name: string, is: (u: unknown) => u is A) =>
  new t.Type<A, A, unknown>(
    name,
    is,
    (u, context) => (is(u) ? t.success(u) : t.failure(u, context)),
    t.identity,
  )
const hasField = (u: unknown, field: string): boolean =>
  PlainData.is(u) && typeof u === 'object' && u !== null && field in u
const Request = dataWith('LogRequest', (u): u is LogRequest => hasField(u, 'address'))
const Taken = dataWith('TakenLog', (u): u is TakenLog => hasField(u, '_tag'))

/** Takes a transcript. `isKept`: a failure leaves a marker. */
const Take = t.type({
  _tag: t.literal('Take'),
  request: Request,
  isKept: t.boolean,
  replyTo: replyTo<Either<RefusalOf<'Overloaded'>, TakenLog>>(),
})
type Take = t.TypeOf<typeof Take>

/** From a fetch: it has ended. */
const Ended = t.type({ _tag: t.literal('Ended'), flight: t.string, taken: Taken })

export const LogFetcherMessage = t.union([Take, Ended], 'LogFetcherMessage')
export type LogFetcherMessage = t.TypeOf<typeof LogFetcherMessage>

export interface LogFetcherPorts {
  readonly take: TakeLog
  /** Called at every end of a fetch, for the metric. */
  readonly count: (result: LogFault | 'taken') => void
  /** Records how an attempt ended; null: it did not fail. Never throws: a disk that refuses is logged. */
  readonly mark: (
    address: string,
    failure: { readonly reason: LogFault; readonly status: number | null } | null,
  ) => void
}

/** The most fetches of one host at a time, and of all hosts. */
export const flightsPerHostMax = 2
export const flightsMax = 8

export const logFetcher: Actor<State, Message, Effect, LogFetcherPorts> = {
  name: 'log-fetcher',
  codec: LogFetcherMessage,
  mailboxMax: 4_096,
  initial: () => [{ waiting: [], flights: [] }, [ready]],
  receive: (state, message, { id }) => {
    switch (message._tag) {
      case 'Take':
        return begin({ ...state, waiting: [...state.waiting, waitingOf(message, id)] })
      case 'Ended':
        return onEnded(state, message.flight, message.taken)
      default:
        return absurd(message)
    }
  },
  perform:
    ({ take, mark, count }) =>
    async (effect, signal) => {
      if (effect._tag === 'Fetch')
        return [{ _tag: 'Ended', flight: effect.flight, taken: await take(effect.request, signal) }]
      if (effect._tag === 'Count') count(effect.result)
      else mark(effect.address, effect.failure)
      return []
    },
}

/**
 * The log fetcher owns the requests for transcripts, so that no host is asked by more than two of them at a time. A
 * fetch runs outside the mailbox and has its own limits of time and bytes. The marker of a failure is on disk before
 * the asker learns of it. A restart loses the requests, and their askers get a failure immediately.
 */
interface State {
  readonly waiting: ReadonlyArray<Flight>
  readonly flights: ReadonlyArray<Flight>
}

interface Flight extends Omit<Take, '_tag'> {
  readonly id: string
  readonly host: string
}

type Effect =
  | { readonly _tag: 'Fetch'; readonly flight: string; readonly request: LogRequest }
  | { readonly _tag: 'Count'; readonly result: LogFault | 'taken' }
  | { readonly _tag: 'Mark'; readonly address: string; readonly failure: Failure | null }

type Failure = Extract<TakenLog, { readonly _tag: 'Failed' }>
type Message = LogFetcherMessage
type Turn = Step<State, Effect, Message>

const waitingOf = ({ request, isKept, replyTo: to }: Take, id: string): Flight => ({
  id,
  request,
  isKept,
  replyTo: to,
  host: URL.canParse(request.address) ? new URL(request.address).hostname : '',
})

const isFree = (flights: ReadonlyArray<Flight>, host: string): boolean =>
  flights.length < flightsMax && flights.filter(one => one.host === host).length < flightsPerHostMax

/** Begins what may begin, in the order in which it was asked. */
const begin = (state: State): Turn => {
  const flights = [...state.flights]
  const begun = new Set<Flight>()
  for (const one of state.waiting)
    if (isFree(flights, one.host)) {
      flights.push(one)
      begun.add(one)
    }
  return [
    { waiting: state.waiting.filter(one => !begun.has(one)), flights },
    [...begun].map(({ id, request }) => beside({ _tag: 'Fetch' as const, flight: id, request })),
  ]
}

const onEnded = (state: State, flight: string, taken: TakenLog): Turn => {
  const ended = state.flights.find(({ id }) => id === flight)
  const counted: Effect = { _tag: 'Count', result: taken._tag === 'Failed' ? taken.reason : 'taken' }
  if (ended === undefined) return [state, [counted]]
  const { request, isKept, replyTo: to } = ended
  const marked: Effect = {
    _tag: 'Mark',
    address: request.address,
    failure: taken._tag === 'Failed' ? taken : null,
  }
  const [next, effects] = begin({ ...state, flights: state.flights.filter(one => one !== ended) })
  return [next, [...(isKept ? [marked] : []), answer(to, taken), counted, ...effects]]
}

const answer = (to: ReplyTo<Either<RefusalOf<'Overloaded'>, TakenLog>>, taken: TakenLog) =>
  reply<Either<RefusalOf<'Overloaded'>, TakenLog>>(to, right(taken))
