import { requirePath } from '#protocol/atoms.js'
import {
  blockCodes,
  goneMend,
  goneWords,
  type Mode,
  stateGoneMend,
  stateGoneWords,
} from '#protocol/host/discovery.js'
import type { GateArm } from '#protocol/host/metrics.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { bundles, rolesPath } from '#src/domain/identity/roles.js'

/** The state that the arms of the write gate check. */
export interface GateState {
  readonly format: 'Current' | 'SchemaTooOld' | 'SchemaTooNew'
  readonly syncStale: boolean
  /** Whether the repository was moved, removed or replaced; HEAD cannot be loaded then either. */
  readonly repositoryGone?: boolean
  /** Why HEAD cannot be loaded; null when the host serves HEAD, or possibly does. */
  readonly staleReason?: string | null
  /** Ledgers of HEAD that cannot be read: what they say is closed, settled and paid is unknown. */
  readonly unreadLedgers?: ReadonlyArray<string>
  /** Whether the state area is gone. The promises of a write would be lost then. */
  readonly stateGone?: boolean
  readonly mode: Mode
  /** Why the daemon chose the mode itself; the refusal repeats it. */
  readonly detail?: string | null
}

export type GateRefusal = RefusalOf<
  'SnapshotStale' | 'DiskRefused' | 'SchemaTooNew' | 'SchemaTooOld' | 'SyncStale' | 'ReadOnly'
>

/** The arm that refused, as the metrics name it. */
export const armOf = ({ _tag }: GateRefusal): GateArm => arms[_tag]

/** The refusal of a write whose intent would be stored in a file that the next start does not find. */
export const stateGoneRefusal = (): RefusalOf<'DiskRefused'> =>
  refuse('DiskRefused', `Nothing was written: ${stateGoneWords}. ${stateGoneMend}`)

/**
 * Returns the refusal of the first closed arm, or null when the write may pass. The order: SnapshotStale
 * (the repository is gone, then HEAD or a ledger cannot be loaded), DiskRefused, SchemaTooNew, SchemaTooOld, SyncStale,
 * ReadOnly. A dry run skips the check of ReadOnly and no other; ReadOnly is last, so a refused dry run has
 * the same cause as the write (A 4.1.2, D28). SnapshotStale comes before the format, because the format of a
 * stale snapshot is that of an older commit.
 */
export const gateRefusal = (state: GateState, dryRun: boolean): GateRefusal | null => {
  if (state.repositoryGone === true) return snapshotGoneRefusal()
  if (typeof state.staleReason === 'string') return staleRefusal(state.staleReason)
  if (state.unreadLedgers !== undefined && state.unreadLedgers.length > 0)
    return ledgerRefusal(state.unreadLedgers)
  if (state.stateGone === true) return stateGoneRefusal()
  if (state.format === 'SchemaTooNew')
    return refuse('SchemaTooNew', 'A newer version of Kronika wrote this repository. Update this host.')
  if (state.format === 'SchemaTooOld') return refuse('SchemaTooOld', `${notAdopted}${before(state)}`)
  if (state.syncStale)
    return refuse('SyncStale', 'The last converge is too old for writes. POST /sync, or fix the remote.')
  if (state.mode === 'ReadOnly' && !dryRun)
    return refuse('ReadOnly', state.detail ?? 'This host is read-only. POST /admin/mode changes that.')
  return null
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The roles table of a new repository in format 2: the built-in bundles, until the community edits them. */
export const rolesSeed: Seed = { path: rolesPath, text: jsonText({ roles: bundles }) }

export const formatPath = requirePath('.svc/format.json')

export const formatSeed: Seed = { path: formatPath, text: jsonText({ format: 2 }) }

/** The example is no row, so that it is not reported as hidden text. */
const contributors = `<!--
Kto należy do społeczności. Osoba to blok pod „## Gracz”, rola to blok pod „## Role”.
Przykład; wpisz swoje bloki poniżej bez kreski na początku i zatwierdź zmianę w git:

| ### Solmyr
| - @gameid: 12345 (2026-01:)
| - @rola: Radny (2026-01:)
| - @status: Aktywny
| - @chat: sesje/solmyr-kanał
-->

## Gracz

## Role
`

/** The keys that an operator decides first; `docs/reference/config.md` lists all. */
const config = { server: { time_zone: 'Europe/Warsaw', sync_remote: 'origin', publish_mode: 'none' } }

/** The files of a new community without lore, in format 2. Adoption changes none of them and adds none. */
export const newRepository: ReadonlyArray<Seed> = [
  { path: '.gitignore', text: '/.svc/state/\n' },
  { path: '.svc/config.json', text: jsonText(config) },
  formatSeed,
  rolesSeed,
  { path: 'encje/indeks.md', text: '# Indeks\n' },
  { path: 'kontrybutorzy.md', text: contributors },
]

/** A file whose text does not depend on the lore. */
export interface Seed {
  readonly path: string
  readonly text: string
}

const arms = {
  SnapshotStale: 'snapshot_stale',
  DiskRefused: 'state_gone',
  SchemaTooNew: 'schema_new',
  SchemaTooOld: 'schema_old',
  SyncStale: 'sync_stale',
  ReadOnly: 'read_only',
} as const satisfies Readonly<Record<GateRefusal['_tag'], GateArm>>

const notAdopted = 'The repository is not adopted; run `kronika adopt` or POST /import.'

/** What else prevents an adoption from being committed, such as a missing git. */
const before = ({ mode, detail }: GateState): string =>
  mode === 'ReadOnly' && typeof detail === 'string' ? ` Before that: ${detail}` : ''

/**
 * The refusal of a write that would be planned on an older commit than HEAD (D63). `reason` has no full stop
 * at its end.
 */
const staleRefusal = (reason: string): RefusalOf<'SnapshotStale'> =>
  refuse(
    'SnapshotStale',
    `HEAD cannot be loaded: ${reason}. Nothing was written, because this host serves an older commit. ` +
      'Commit a fix; the host loads it by itself.',
  )

/** The refusal of a write when the repository is gone, which no commit would repair. */
const snapshotGoneRefusal = (): RefusalOf<'SnapshotStale'> =>
  refuse('SnapshotStale', `Nothing was written: ${goneWords}. ${goneMend}`)

/** The refusal of a write while a ledger cannot be read: what is closed, settled or paid would be enacted again. */
const ledgerRefusal = (paths: ReadonlyArray<string>): RefusalOf<'SnapshotStale'> =>
  refuse(
    'SnapshotStale',
    `Nothing was written, because this host cannot read ${paths.join(', ')}. ${blockCodes.ledger_unreadable.mend}`,
  )
