import type { ProbeResult } from '#src/domain/fleet/peer-record.js'
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

export interface RepeatedProbe {
  readonly result: ProbeResult
  /** The time of the request whose answer ended the probe; of the whole probe where none did. */
  readonly roundTripMs: number
}

/**
 * Probes a town by up to ten requests, spread over the time-out. A request that has no answer yet stays open while
 * the next ones go out; the first answer ends the probe and the other requests. A town that has begun to answer gets no
 * other request, so a slow or endless answer costs one connection. Without this a link that loses every
 * fifth message would make a live town dark for three probes in a row within hours.
 *
 * Never rejects, and ends within `timeoutMs`. A signal that aborts ends it as not sent.
 */
export const repeatProbe = (
  clock: Pick<KernelClock, 'monotonicMs' | 'after'>,
  timeoutMs: number,
  send: SendAttempt,
  signal: AbortSignal,
): Promise<RepeatedProbe> =>
  new Promise(resolve => {
    const startMs = clock.monotonicMs()
    const others = new AbortController()
    const silent: Array<ProbeResult> = []
    let [open, left] = [0, attemptsMost]
    let cancelNext = (): void => undefined
    const finish = (result: ProbeResult, sinceMs: number): void => {
      cancelNext()
      signal.removeEventListener('abort', onAbort)
      others.abort('the probe has ended')
      resolve({ result, roundTripMs: clock.monotonicMs() - sinceMs })
    }
    const onAbort = (): void => finish({ _tag: 'NotSent' }, startMs)
    const finishSilent = (): void => {
      if (open === 0 && left === 0) finish(judgeSilence(silent), startMs)
    }
    const onAnswering = (): void => {
      cancelNext()
      left = 0
    }
    const sendNext = (): void => {
      const sentMs = clock.monotonicMs()
      const restMs = startMs + timeoutMs - sentMs
      left = restMs > 0 ? left - 1 : 0
      if (restMs > 0) {
        open += 1
        void send(restMs, others.signal, onAnswering).then(result => onEnded(result, sentMs))
      }
      if (left > 0) cancelNext = clock.after(attemptGapMs(timeoutMs), sendNext)
      else finishSilent()
    }
    const onEnded = (result: ProbeResult, sentMs: number): void => {
      if (others.signal.aborted) return
      open -= 1
      if (isConclusive(result)) return finish(result, sentMs)
      silent.push(result)
      finishSilent()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    else sendNext()
  })
