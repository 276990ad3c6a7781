import type { GitLock } from '#protocol/sync/git-metrics.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'

const kinds: ReadonlyArray<readonly [RegExp, GitLock]> = [
  [/\/HEAD\.lock$/, 'head'],
  [/\/packed-refs\.(?:lock|new)$/, 'packed_refs'],
  [/\/gc\.pid\.lock$/, 'gc'],
  [/\/index\.lock$/, 'index'],
  [/\/objects\//, 'objects'],
  [/\/logs\//, 'log'],
]

/** Counts a lock of git that a process which ended had left. */
export const countStaleLock = (path: string): void => {
  const lock = kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'ref'
  processMeter.count('svc_git_stale_locks_removed_total', { lock })
}
