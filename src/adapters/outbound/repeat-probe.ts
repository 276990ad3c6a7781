import type { AnsweredProbe, ProbeResult } from '#src/domain/fleet/peer-record.js'
import { attemptGapMs, attemptsMost, isConclusive, judgeSilence } from '#src/domain/fleet/probe-attempts.js'
import type { KernelClock } from '#src/kernel/time/clock.js'

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

const silence: ProbeResult = { _tag: 'Failed', kind: 'fleet-status', why: 'timeout' }

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
    /** The open requests and when they were sent, the first one first. */
    const open = new Map<AbortController, number>()
    let [left, hasEnded] = [attemptsMost, false]
    let answering: AbortController | undefined
    let cancelNext = (): void => undefined
    const closeAllBut = (kept?: AbortController): void => {
      for (const request of [...open.keys()].filter(one => one !== kept)) {
        open.delete(request)
        request.abort('the probe has ended')
      }
      if (open.size === 0) signal.removeEventListener('abort', onAbort)
    }
    const finish = (result: ProbeResult, sinceMs: number, kept?: AbortController): void => {
      hasEnded = true
      cancelNext()
      cancelTimeout()
      closeAllBut(kept)
      resolve({ result, roundTripMs: clock.monotonicMs() - sinceMs })
    }
    const onAbort = (): void => (hasEnded ? closeAllBut() : finish({ _tag: 'NotSent' }, startMs))
    const onTimeout = (): void => {
      const [first] = open.keys()
      finish(
        judgeSilence([...silent, ...[...open].map(() => silence)]),
        startMs,
        lateMs > 0 ? (answering ?? first) : undefined,
      )
    }
    const stopSending = (): void => {
      cancelNext()
      left = 0
    }
    const sendNext = (): void => {
      const sentMs = clock.monotonicMs()
      const restMs = startMs + timeoutMs - sentMs
      left -= 1
      if (restMs <= 0) stopSending()
      else {
        const request = new AbortController()
        open.set(request, sentMs)
        const onAnswering = (): void => {
          answering ??= request
          stopSending()
        }
        void send(restMs + lateMs, request.signal, onAnswering).then(result => onEnded(request, result))
      }
      if (left > 0) cancelNext = clock.after(attemptGapMs(timeoutMs), sendNext)
      else finishSilent()
    }
    const finishSilent = (): void => {
      if (open.size === 0 && left === 0) finish(judgeSilence(silent), startMs)
    }
    const onEnded = (request: AbortController, result: ProbeResult): void => {
      const sentMs = open.get(request)
      if (sentMs === undefined) return
      open.delete(request)
      if (hasEnded) {
        closeAllBut()
        if (result._tag === 'Answered') onLate?.({ result, roundTripMs: clock.monotonicMs() - sentMs })
        return
      }
      if (isConclusive(result)) return finish(result, sentMs)
      silent.push(result)
      finishSilent()
    }
    const cancelTimeout = clock.after(timeoutMs, onTimeout)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    else sendNext()
  })
