import type { SyncReport } from '#actors/repository-sync/messages.js'
import { isStale } from '#actors/repository-sync/state.js'
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
}

/** Measures the age of the last full converge, with the time that the machine slept since. */
export const measureSyncAge = ({ report, maxAgeMs, monotonicMs, sleptMs }: SyncAgeSetup): SyncAge => {
  const bootMs = monotonicMs()
  let [okAtMs, sleptAtOkMs] = [bootMs, 0]
  report.watch(() => {
    const atMs = report.get()?.lastOk?.monotonicMs
    if (atMs === undefined || atMs === okAtMs) return
    okAtMs = atMs
    sleptAtOkMs = sleptMs()
  })
  /** The monotonic clock, and what the machine has slept since the last full converge. */
  const wakingMs = (): number => monotonicMs() + sleptMs() - sleptAtOkMs
  return {
    isStale: () => isStale(report.get(), { bootMs, nowMs: wakingMs(), maxAgeMs }),
    ageMs: () => {
      const known = report.get()
      return known?.enabled !== true || known.lastOk === null
        ? null
        : Math.max(0, wakingMs() - known.lastOk.monotonicMs)
    },
  }
}
