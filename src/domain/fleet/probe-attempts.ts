import type { ProbeFailure, ProbeResult } from './peer-record.js'

/** The most requests that one probe sends. */
export const attemptsMost = 10

const countsAfterMsMost = 15_000

/** How long after its sweep has counted as missed an answer of a town still takes that miss back. */
export const lateMs = 15_000

/** When a sweep counts a silent town as missed. A town is asked for this time, so a sweep ends before the next one. */
export const countsAfterMs = (intervalMs: number): number => Math.min(countsAfterMsMost, intervalMs)

/**
 * The time between two requests of a probe. A town that answers within a fifth of `timeoutMs` can answer eight of the
 * ten requests in time.
 */
export const attemptGapMs = (timeoutMs: number): number => timeoutMs / attemptsMost

const silences: ReadonlySet<ProbeFailure> = new Set<ProbeFailure>(['timeout', 'unreachable'])

/** Whether a request had an answer of any kind. A lost packet cannot cause one, so the probe needs no other request. */
export const isConclusive = (result: ProbeResult): boolean =>
  result._tag === 'Answered' || (result._tag === 'Failed' && !silences.has(result.why))

/**
 * The result of a probe whose requests had no answer. Where half of them were not sent, this host is not well, and
 * the silence of the others is no miss (S8). The last ones may be late because a name takes time to resolve.
 */
export const judgeSilence = (results: ReadonlyArray<ProbeResult>): ProbeResult => {
  const failed = results.filter(({ _tag }) => _tag === 'Failed')
  const [first] = failed
  return first !== undefined && failed.length * 2 > results.length ? first : { _tag: 'NotSent' }
}
