import { isStale, type SyncReport } from '#actors/repository-sync/state.js'
import type { Remote } from '#src/ports/git.js'
import type { Cell } from '#src/snapshot/cell.js'

export interface SyncAgeSetup {
  readonly report: Cell<SyncReport>
  /** Age at which the last converge closes the write gate; 0: never. */
  readonly maxAgeMs: number
  readonly monotonicMs: () => number
  /** How long the machine has slept since the start. */
  readonly sleptMs: () => number
}

export interface SyncAge {
  /** Whether the age of the last converge closes the write gate (D34). */
  readonly isStale: () => boolean
  /** Age of the last full converge; null where sync is off or none succeeded since the start. */
  readonly ageMs: () => number | null
  /** The same remote; a converge is as old as its last fetch or push, from the start of that one. */
  readonly timeRemote: <R extends Pick<Remote, 'fetch' | 'push'>>(remote: R) => R
}

interface WakingTime {
  readonly monotonicMs: number
  readonly sleptMs: number
}

/**
 * Measures the age of the last full converge, with the time that the machine slept. A host that is stopped or asleep
 * between its fetch and the end of the converge knows no more than at the fetch.
 */
export const measureSyncAge = ({ report, maxAgeMs, monotonicMs, sleptMs }: SyncAgeSetup): SyncAge => {
  const readTime = (): WakingTime => ({ monotonicMs: monotonicMs(), sleptMs: sleptMs() })
  const bootMs = monotonicMs()
  let okAtMs = bootMs
  let known: WakingTime = { monotonicMs: bootMs, sleptMs: 0 }
  let calledRemote: WakingTime | null = null
  report.watch(() => {
    const atMs = report.get()?.lastOk?.monotonicMs
    if (atMs === undefined || atMs === okAtMs) return
    okAtMs = atMs
    const ended = { monotonicMs: atMs, sleptMs: sleptMs() }
    known = calledRemote !== null && calledRemote.monotonicMs < atMs ? calledRemote : ended
  })
  const ageNowMs = (): number => monotonicMs() - known.monotonicMs + sleptMs() - known.sleptMs
  return {
    isStale: () => isStale(report.get(), { bootMs: okAtMs, nowMs: okAtMs + ageNowMs(), maxAgeMs }),
    ageMs: () => {
      const now = report.get()
      return now?.enabled !== true || now.lastOk === null ? null : Math.max(0, ageNowMs())
    },
    timeRemote: remote => ({
      ...remote,
      fetch: signal => {
        calledRemote = readTime()
        return remote.fetch(signal)
      },
      push: (branch, commit, signal) => {
        calledRemote = readTime()
        return remote.push(branch, commit, signal)
      },
    }),
  }
}
