import { goneMend, goneWords, stateGoneMend, stateGoneWords } from '#protocol/discovery/gone-words.js'
import type { Mode } from '#protocol/discovery/mode.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'

/** What the write gate looks at. */
export interface GateState {
  readonly format: 'Current' | 'SchemaTooOld' | 'SchemaTooNew'
  readonly syncStale: boolean
  /** Whether the repository was moved, removed or replaced; HEAD can then not be loaded either. */
  readonly repositoryGone?: boolean
  /** Why HEAD cannot be loaded; null where what is served is what HEAD names, or may be. */
  readonly staleReason?: string | null
  /** Whether the state area is gone, so that what a write promises would be lost. */
  readonly stateGone?: boolean
  readonly mode: Mode
  /** Why the mode is what it is, where the daemon chose it itself; the refusal tells it. */
  readonly detail?: string | null
}

export type GateRefusal = RefusalOf<
  'SnapshotStale' | 'DiskRefused' | 'SchemaTooNew' | 'SchemaTooOld' | 'SyncStale' | 'ReadOnly'
>

const notAdopted = 'The repository is not adopted; run `kronika adopt` or POST /import.'

/** What keeps an adoption from being committed too, such as that there is no git. */
const before = ({ mode, detail }: GateState): string =>
  mode === 'ReadOnly' && typeof detail === 'string' ? ` Before that: ${detail}` : ''

/** Refuses a write that would be planned on an older commit than HEAD (D63). */
export const staleRefusal = (reason: string): RefusalOf<'SnapshotStale'> =>
  refuse(
    'SnapshotStale',
    `HEAD cannot be loaded: ${reason}. Nothing was written, since this host serves an older commit. ` +
      'Commit a repair; the host loads it by itself.',
  )

/** Refuses a write for which there is no repository: no commit would repair that. */
const goneRefusal = (): RefusalOf<'SnapshotStale'> =>
  refuse('SnapshotStale', `Nothing was written: ${goneWords}. ${goneMend}`)

/** Refuses a write whose intent would be kept in a file that the next start does not find. */
export const stateGoneRefusal = (): RefusalOf<'DiskRefused'> =>
  refuse('DiskRefused', `Nothing was written: ${stateGoneWords}. ${stateGoneMend}`)

/**
 * The four arms in their order; null lets the write pass. A dry run passes ReadOnly alone, so it never
 * changes the cause that is named (A 4.1.2, D28). Before them come a snapshot that is stale, since the format that they
 * look at is that of an older commit, and a state area that is gone.
 */
export const gateRefusal = (state: GateState, dryRun: boolean): GateRefusal | null => {
  if (state.repositoryGone === true) return goneRefusal()
  if (typeof state.staleReason === 'string') return staleRefusal(state.staleReason)
  if (state.stateGone === true) return stateGoneRefusal()
  if (state.format === 'SchemaTooNew')
    return refuse('SchemaTooNew', 'A newer daemon stamped this repository; update this host.')
  if (state.format === 'SchemaTooOld') return refuse('SchemaTooOld', `${notAdopted}${before(state)}`)
  if (state.syncStale)
    return refuse('SyncStale', 'The last converge is too old; POST /sync or mend the remote.')
  if (state.mode === 'ReadOnly' && !dryRun)
    return refuse('ReadOnly', state.detail ?? 'This host is read-only; POST /admin/mode changes that.')
  return null
}
