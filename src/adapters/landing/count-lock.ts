import type { GitLock } from '#protocol/sync.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'

/** The first that matches decides: the reflog of HEAD has a `HEAD.lock` too. */
const kinds: ReadonlyArray<readonly [RegExp, GitLock]> = [
  [/\/logs\/(?:HEAD\.lock$|refs\/)/, 'log'],
  [/\/objects\/info\//, 'objects'],
  [/\/HEAD\.lock$/, 'head'],
  [/\/packed-refs\.(?:lock|new)$/, 'packed_refs'],
  [/\/gc\.pid\.lock$/, 'gc'],
  [/\/index\.lock$/, 'index'],
]

/** Counts a lock of git that a process which ended had left. */
export const countStaleLock = (path: string): void => {
  const lock = kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'ref'
  processMeter.count('svc_git_stale_locks_removed_total', { lock })
}
