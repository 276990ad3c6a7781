import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { FetchTrouble } from '#protocol/host/outbound.js'
import {
  type AnsweredProbe,
  attemptGapMs,
  attemptsMost,
  isConclusive,
  isPeerHealth,
  judgeSilence,
  type ProbeFailure,
  type ProbeKind,
  type ProbeResult,
  readPeerCard,
} from '#src/domain/fleet/peers.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import { fetchText } from './fetch-text.js'

/** The most bytes of a card that are read; a card has about 400. */
export const cardBytesMax = 65_536

export interface ProbeTarget {
  readonly town: string
  /** Base URL of its interface, without a slash at its end. */
  readonly url: string
  /** For the whole probe. */
  readonly timeoutMs: number
  /** Called when the town begins to answer. */
  readonly onAnswering?: () => void
}

/**
 * Asks a town for its card, and for `/health` where it has no card row (404). Never rejects, and ends within its
 * time-out. Follows no redirect.
 */
export const probePeer = async (
  { town, url, timeoutMs, onAnswering }: ProbeTarget,
  monotonicMs: () => number,
  signal: AbortSignal,
): Promise<ProbeResult> => {
  const untilMs = monotonicMs() + timeoutMs
  const bytesMax = cardBytesMax
  const card = await fetchText(`${url}/fleet/status`, { timeoutMs, bytesMax, onAnswering }, signal)
  if (!isLeft(card) || card.left !== 'not_found') return judgeCard(card, town)
  const restMs = Math.max(1, untilMs - monotonicMs())
  return judgeHealth(await fetchText(`${url}/health`, { timeoutMs: restMs, bytesMax }, signal))
}

/**
 * Sends one request of a probe, and calls `onAnswering` when the town begins to answer. Never rejects, and ends within
 * `timeoutMs` or when the signal aborts.
 */
export type SendAttempt = (
  timeoutMs: number,
  signal: AbortSignal,
  onAnswering: () => void,
) => Promise<ProbeResult>

export interface RepeatedProbe<R extends ProbeResult = ProbeResult> {
  readonly result: R
  /** The time of the request whose answer ended the probe; of the whole probe where none did. */
  readonly roundTripMs: number
}

export interface ProbeTimes {
  /** When the probe of a silent town has failed. */
  readonly timeoutMs: number
  /** How long after that an answer is still heard; 0: it is not. */
  readonly lateMs: number
  /** Called at most once, with an answer that came after the probe had failed. */
  readonly onLate?: (answer: RepeatedProbe<AnsweredProbe>) => void
}

/**
 * Probes a town by up to ten requests, spread over the time-out. A request that has no answer yet stays open while
 * the next ones go out; the first answer ends the probe and the other requests. A town that has begun to answer gets no
 * other request, so a slow or endless answer costs one connection. Without this a link that loses every
 * fifth message would make a live town dark for three probes in a row within hours.
 *
 * Where the time-out ends the probe, one request stays open for `lateMs` more: the one that the town began to answer,
 * else the first, which a busy town answers first.
 *
 * Never rejects, and ends within `timeoutMs`. A signal that aborts ends it as not sent, and no late answer is heard.
 */
export const repeatProbe = (
  clock: Pick<KernelClock, 'monotonicMs' | 'after'>,
  { timeoutMs, lateMs, onLate }: ProbeTimes,
  send: SendAttempt,
  signal: AbortSignal,
): Promise<RepeatedProbe> =>
  new Promise(resolve => {
    const startMs = clock.monotonicMs()
    const silent: Array<ProbeResult> = []
    const open = openRequests(() => signal.removeEventListener('abort', onAbort))
    let hasEnded = false
    let answering: AbortController | undefined
    const finish = (result: ProbeResult, sinceMs: number, kept?: AbortController): void => {
      hasEnded = true
      sending.stop()
      cancelTimeout()
      open.closeAllBut(kept)
      resolve({ result, roundTripMs: clock.monotonicMs() - sinceMs })
    }
    const onAbort = (): void => (hasEnded ? open.closeAllBut() : finish({ _tag: 'NotSent' }, startMs))
    const onTimeout = (): void => {
      const unanswered = Array.from({ length: open.size() }, () => silence)
      finish(
        judgeSilence([...silent, ...unanswered]),
        startMs,
        lateMs > 0 ? (answering ?? open.first()) : undefined,
      )
    }
    const finishSilent = (): void => {
      if (open.size() === 0 && sending.isOver()) finish(judgeSilence(silent), startMs)
    }
    const onEnded = (request: AbortController, result: ProbeResult): void => {
      const sentMs = open.take(request)
      if (sentMs === undefined) return
      if (hasEnded) {
        open.closeAllBut()
        if (result._tag === 'Answered') onLate?.({ result, roundTripMs: clock.monotonicMs() - sentMs })
        return
      }
      if (isConclusive(result)) return finish(result, sentMs)
      silent.push(result)
      finishSilent()
    }
    const sendOne = (sentMs: number, restMs: number): void => {
      const request = new AbortController()
      open.add(request, sentMs)
      const onAnswering = (): void => {
        answering ??= request
        sending.stop()
      }
      void send(restMs + lateMs, request.signal, onAnswering).then(result => onEnded(request, result))
    }
    const sending = spread(clock, timeoutMs, sendOne, finishSilent)
    const cancelTimeout = clock.after(timeoutMs, onTimeout)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    else sending.next()
  })

const failures: Readonly<Record<FetchTrouble, ProbeFailure | null>> = {
  not_sent: null,
  address: null,
  refused: 'refused',
  tls: 'tls',
  timeout: 'timeout',
  unreachable: 'unreachable',
  too_large: 'bad_card',
  malformed: 'bad_card',
  not_found: 'bad_card',
  status: 'bad_card',
}

const judgeTrouble = (kind: ProbeKind, trouble: FetchTrouble): ProbeResult => {
  const why = failures[trouble]
  return why === null ? { _tag: 'NotSent' } : { _tag: 'Failed', kind, why }
}

const judgeCard = (answer: Either<FetchTrouble, string>, town: string): ProbeResult => {
  const kind = 'fleet-status'
  if (isLeft(answer)) return judgeTrouble(kind, answer.left)
  const card = readPeerCard(answer.right, town)
  return card === null ? { _tag: 'Failed', kind, why: 'bad_card' } : { _tag: 'Answered', kind, card }
}

const judgeHealth = (answer: Either<FetchTrouble, string>): ProbeResult => {
  const kind = 'health'
  if (isLeft(answer)) return judgeTrouble(kind, answer.left)
  return isPeerHealth(answer.right)
    ? { _tag: 'Answered', kind, card: null }
    : { _tag: 'Failed', kind, why: 'bad_card' }
}

const silence: ProbeResult = { _tag: 'Failed', kind: 'fleet-status', why: 'timeout' }

/** The requests of a probe that have no answer yet, and when each was sent, the first one first. */
interface OpenRequests {
  readonly add: (request: AbortController, sentMs: number) => void
  /** Removes a request and returns when it was sent; undefined where it was closed before. */
  readonly take: (request: AbortController) => number | undefined
  readonly first: () => AbortController | undefined
  readonly size: () => number
  readonly closeAllBut: (kept?: AbortController) => void
}

/** `onNone` is called when the requests are closed and none was kept. */
const openRequests = (onNone: () => void): OpenRequests => {
  const open = new Map<AbortController, number>()
  return {
    add: (request, sentMs) => void open.set(request, sentMs),
    take: request => {
      const sentMs = open.get(request)
      open.delete(request)
      return sentMs
    },
    first: () => [...open.keys()][0],
    size: () => open.size,
    closeAllBut: kept => {
      for (const request of [...open.keys()].filter(one => one !== kept)) {
        open.delete(request)
        request.abort('the probe has ended')
      }
      if (open.size === 0) onNone()
    },
  }
}

/** Calls `send` up to ten times, spread over the time-out, and `onSent` after the last time. */
const spread = (
  clock: Pick<KernelClock, 'monotonicMs' | 'after'>,
  timeoutMs: number,
  send: (sentMs: number, restMs: number) => void,
  onSent: () => void,
) => {
  const startMs = clock.monotonicMs()
  let left = attemptsMost
  let cancelNext = (): void => undefined
  const stop = (): void => {
    cancelNext()
    left = 0
  }
  const next = (): void => {
    const sentMs = clock.monotonicMs()
    const restMs = startMs + timeoutMs - sentMs
    left -= 1
    if (restMs <= 0) stop()
    else send(sentMs, restMs)
    if (left > 0) cancelNext = clock.after(attemptGapMs(timeoutMs), next)
    else onSent()
  }
  return { next, stop, isOver: () => left === 0 }
}
