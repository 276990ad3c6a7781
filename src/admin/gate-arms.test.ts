import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { gateRefusal } from './gate-arms.js'

const expected = (
  format: 'Current' | 'SchemaTooOld' | 'SchemaTooNew',
  syncStale: boolean,
  isReadOnly: boolean,
  dryRun: boolean,
): string | null => {
  const closed = [
    format === 'SchemaTooNew' ? 'SchemaTooNew' : null,
    format === 'SchemaTooOld' ? 'SchemaTooOld' : null,
    syncStale ? 'SyncStale' : null,
    isReadOnly && !dryRun ? 'ReadOnly' : null,
  ]
  return closed.find(arm => arm !== null) ?? null
}

describe('the arms of the write gate', () => {
  for (const format of ['Current', 'SchemaTooOld', 'SchemaTooNew'] as const)
    for (const syncStale of [false, true])
      for (const mode of ['ReadWrite', 'ReadOnly'] as const)
        for (const dryRun of [false, true])
          it(`${format}, ${syncStale ? 'stale' : 'fresh'}, ${mode}${dryRun ? ', dry run' : ''}`, () => {
            equal(
              gateRefusal({ format, syncStale, mode }, dryRun)?._tag ?? null,
              expected(format, syncStale, mode === 'ReadOnly', dryRun),
            )
          })
})
