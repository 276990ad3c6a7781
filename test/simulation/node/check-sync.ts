import type { SyncReport } from '#actors/repository-sync/state.js'
import type { CommitId } from '#protocol/atoms.js'
import type { PublishMode } from '#protocol/host/discovery.js'
import type { Objects } from './objects.js'
import type { Trace } from './trace.js'

/** Where a host and its remote stand at the moment of a report. */
export interface SyncPlace {
  readonly head: CommitId
  /** What the last fetch found. */
  readonly fetched: CommitId | null
  readonly origin: CommitId
  readonly parked: ReadonlyMap<string, CommitId>
}

/** What a sync says of itself, held against S15. */
export interface SyncChecks {
  readonly reported: (host: string, mode: PublishMode, report: SyncReport, place: SyncPlace) => void
  readonly pushed: (host: string, mode: PublishMode) => void
  readonly converges: () => number
}

/** `hadByOrigin`: whether a history of the remote that a rewrite has replaced had the commit. */
export const syncChecks = (
  objects: Objects,
  { say, violation }: Trace,
  hadByOrigin: (commit: CommitId) => boolean,
): SyncChecks => {
  const last = new Map<string, number>()
  let converges = 0

  const checkOk = (host: string, mode: PublishMode, report: SyncReport, place: SyncPlace): void => {
    const { head } = report
    if (head === null || !objects.isAncestor(head, place.head))
      return violation(`${host} says it converged on ${head}, which its branch does not have (S15)`)
    if (place.fetched === null || !objects.isAncestor(place.fetched, head))
      violation(`${host} says it converged without what it fetched (S15)`)
    // The remote may be rewritten between a push and its answer.
    if (mode === 'push' && !objects.isAncestor(head, place.origin) && !hadByOrigin(head))
      violation(`${host} says it converged and origin does not have ${head.slice(0, 8)} (S15)`)
  }

  return {
    reported: (host, mode, report, place) => {
      const at = report.lastOk?.monotonicMs ?? null
      say(`${host} sync ${report.lastAction ?? 'begins'} ${report.lastDetail ?? ''}`)
      for (const { ref, commit } of report.parked)
        if (place.parked.get(ref) !== commit) violation(`${host} tells of ${ref}, which is not there`)
      if (at === null || at === last.get(host)) return
      last.set(host, at)
      converges += 1
      checkOk(host, mode, report, place)
    },
    pushed: (host, mode) => {
      if (mode !== 'push') violation(`${host} pushed in mode ${mode} (S15)`)
    },
    converges: () => converges,
  }
}
