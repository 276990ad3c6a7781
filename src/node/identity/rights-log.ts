import type { LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Log } from '../records/log.js'

type RightsFiles = Pick<Snapshot, 'roles' | 'grants' | 'bindings' | 'fleetKeys'>

const wholeFile: ReadonlySet<string> = new Set([
  'RolesUnreadable',
  'GrantsUnreadable',
  'BindingsUnreadable',
  'FleetKeysUnreadable',
])

const unreadable = ({ roles, grants, bindings, fleetKeys }: RightsFiles) =>
  [roles, grants, bindings, fleetKeys].flatMap(({ findings }) =>
    findings.filter(({ kind }) => wholeFile.has(kind)),
  )

/**
 * Logs once that a committed identity file of the served snapshot is unreadable and gives no rights, and once
 * that it is repaired. People are signed out by it, and no other output of the host says so.
 */
export const rightsLog = (
  log: Pick<Log, 'info' | 'warn'>,
  snapshot: () => RightsFiles | null,
): ((outcome: LookOutcome) => void) => {
  let away: ReadonlyMap<string, string> = new Map()
  let seen = 0
  return outcome => {
    const served = snapshot()
    if (outcome._tag === 'LookFailed' || outcome.generation === seen || served === null) return
    seen = outcome.generation
    const now = new Map<string, string>(unreadable(served).map(({ file, kind }) => [file, kind]))
    for (const [file, kind] of now)
      if (!away.has(file))
        log.warn('committed_file_unreadable', { file, kind, mend: 'kronika doctor says what is wrong' })
    for (const file of away.keys()) if (!now.has(file)) log.info('committed_file_recovered', { file })
    away = now
  }
}
