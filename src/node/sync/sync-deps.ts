import type { LintDeps } from '#src/http/handlers/places/places.js'
import type { SyncDeps } from '#src/http/handlers/sync.js'
import type { NodeParts } from '../tree/node-parts.js'
import { convergeThrough } from './host-sync.js'

/** What the front needs of the sync with the remote. */
export const syncDeps = ({ sync, tree }: NodeParts): Pick<SyncDeps, 'converge' | 'sync'> & LintDeps => ({
  sync: sync.view,
  converge: convergeThrough(tree.doors.sync, sync.whyOff, sync.running),
  recordedLint: sync.lint.get,
})
