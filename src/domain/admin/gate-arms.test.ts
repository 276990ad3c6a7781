import { equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { gateRefusal } from './gate-arms.js'

const expectArms = (
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
              expectArms(format, syncStale, mode === 'ReadOnly', dryRun),
            )
          })

  it('come after a stale snapshot, which refuses a dry run too and says why', () => {
    const shut = { format: 'SchemaTooNew', syncStale: true, mode: 'ReadOnly' } as const
    for (const dryRun of [false, true]) {
      const refusal = gateRefusal({ ...shut, staleReason: 'too many paths' }, dryRun)
      equal(refusal?._tag, 'SnapshotStale')
      match(refusal.detail, /too many paths/)
    }
    equal(gateRefusal({ ...shut, staleReason: null }, false)?._tag, 'SchemaTooNew')
  })

  it('come after a repository that is gone, whose remedy is no commit', () => {
    const state = { format: 'Current', syncStale: false, mode: 'ReadWrite' } as const
    const refusal = gateRefusal({ ...state, repositoryGone: true, staleReason: 'no HEAD' }, false)
    equal(refusal?._tag, 'SnapshotStale')
    match(refusal.detail, /was moved, removed or replaced.*Put it back, or stop the host/)
  })

  it('refuse every write, and a dry run, while a ledger cannot be read, and name it', () => {
    const open = { format: 'Current', syncStale: false, mode: 'ReadWrite' } as const
    equal(gateRefusal({ ...open, unreadLedgers: [] }, false), null)
    for (const dryRun of [false, true]) {
      const refusal = gateRefusal({ ...open, unreadLedgers: ['.svc/pu/batches.jsonl'] }, dryRun)
      equal(refusal?._tag, 'SnapshotStale')
      match(refusal.detail, /cannot read \.svc\/pu\/batches\.jsonl\. Commit the file again/)
    }
  })

  it('come after a state area that is gone, which refuses a dry run too and says what to do', () => {
    const shut = { format: 'SchemaTooNew', syncStale: true, mode: 'ReadOnly', stateGone: true } as const
    for (const dryRun of [false, true]) {
      const refusal = gateRefusal(shut, dryRun)
      equal(refusal?._tag, 'DiskRefused')
      match(
        refusal.detail,
        /moved, removed or replaced.*Move the same folder back: the host goes on by itself\. With a copy/,
      )
    }
  })

  it('say to a host that is not adopted what an adoption wants first', () => {
    const state = { format: 'SchemaTooOld', syncStale: false, detail: 'There is no git here.' } as const
    const told = gateRefusal({ ...state, mode: 'ReadOnly' }, true)?.detail ?? ''
    match(told, /^The repository is not adopted; .* Before that: There is no git here\.$/)
    match(gateRefusal({ ...state, mode: 'ReadWrite' }, true)?.detail ?? '', /POST \/import\.$/)
  })
})
