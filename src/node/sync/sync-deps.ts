import { planReplay } from '#src/adapters/sync/replay.js'
import type { LintDeps } from '#src/http/handlers/places.js'
import type { SyncDeps } from '#src/http/handlers/sync.js'
import type { NodeParts } from '../tree/node-parts.js'
import { convergeThrough } from './host-sync.js'

/** What the front needs of the sync with the remote. */
export const syncDeps = ({
  sync,
  tree,
  checkout: { repo },
}: NodeParts): Pick<SyncDeps, 'converge' | 'accept' | 'planAccept' | 'sync'> & LintDeps => ({
  sync: sync.view,
  converge: convergeThrough(tree.doors.sync, sync.whyOff, 'Sync', sync.running),
  accept: convergeThrough(tree.doors.sync, sync.whyOff, 'Accept', sync.running),
  planAccept: async () => {
    const rewrite = sync.report.get()?.rewrite ?? null
    return rewrite === null ? null : { ...rewrite, ...(await planReplay(repo, rewrite, 'HEAD')) }
  },
  recordedLint: sync.lint.get,
})
