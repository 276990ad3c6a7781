import type { Mode } from '#protocol/discovery/mode.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'

/** What the write gate looks at. */
export interface GateState {
  readonly format: 'Current' | 'SchemaTooOld' | 'SchemaTooNew'
  readonly syncStale: boolean
  readonly mode: Mode
  /** Why the mode is what it is, where the daemon chose it itself; the refusal tells it. */
  readonly detail?: string | null
}

export type GateRefusal = RefusalOf<'SchemaTooNew' | 'SchemaTooOld' | 'SyncStale' | 'ReadOnly'>

const notAdopted = 'The repository is not adopted; run `kronika adopt` or POST /import.'

/** What keeps an adoption from being committed too, such as that there is no git. */
const before = ({ mode, detail }: GateState): string =>
  mode === 'ReadOnly' && typeof detail === 'string' ? ` Before that: ${detail}` : ''

/**
 * The four arms in their order; null lets the write pass. A dry run passes ReadOnly alone, so it never
 * changes the cause that is named (A 4.1.2, D28).
 */
export const gateRefusal = (state: GateState, dryRun: boolean): GateRefusal | null => {
  if (state.format === 'SchemaTooNew')
    return refuse('SchemaTooNew', 'A newer daemon stamped this repository; update this host.')
  if (state.format === 'SchemaTooOld') return refuse('SchemaTooOld', `${notAdopted}${before(state)}`)
  if (state.syncStale)
    return refuse('SyncStale', 'The last converge is too old; POST /sync or mend the remote.')
  if (state.mode === 'ReadOnly' && !dryRun)
    return refuse('ReadOnly', state.detail ?? 'This host is read-only; POST /admin/mode changes that.')
  return null
}
