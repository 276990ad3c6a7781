import { it } from 'mocha'
import type { GateState } from '#src/domain/admin/gate-arms.js'
import { checkRefused, isOrdinary } from './bench.js'
import type { Check } from './row-contract.js'

const readOnly: Partial<GateState> = { mode: 'ReadOnly' }
const stale: Partial<GateState> = { ...readOnly, syncStale: true }

/** Each arm with every later one shut too: the earliest is named (D28). A stale snapshot comes before them (D63). */
const arms: ReadonlyArray<readonly [refusal: string, state: Partial<GateState>, status: number]> = [
  [
    'SnapshotStale',
    { ...stale, format: 'SchemaTooNew', stateGone: true, staleReason: 'too many paths' },
    503,
  ],
  ['DiskRefused', { ...stale, format: 'SchemaTooNew', stateGone: true }, 503],
  ['SchemaTooNew', { ...stale, format: 'SchemaTooNew' }, 403],
  ['SchemaTooOld', { ...stale, format: 'SchemaTooOld' }, 403],
  ['SyncStale', stale, 403],
  ['ReadOnly', readOnly, 403],
]

const nameOf = (refusal: string, status: number): string =>
  `is ${status} ${refusal} while that arm is shut${refusal === 'ReadOnly' ? ', save for a dry run' : ''}`

/** What the write gate does with the row (A 4.1.2, A 4.1.3, D28). */
export const checkGate: Check = (subject, bench) => {
  const shut = async (state: Partial<GateState>, dryRun: boolean) => {
    bench().gate(state)
    try {
      return await bench().ask(subject, dryRun ? [['dryRun', 'true']] : undefined)
    } finally {
      bench().gate({})
    }
  }

  // Some rows without the flag commit all the same: their handlers ask (D28).
  if (!subject.row.write && !subject.row.refusals.includes('ReadOnly'))
    it('does not ask the write gate', async () => {
      for (const [, state] of arms) isOrdinary(subject, await shut(state, false))
    })
  else
    for (const [refusal, state, status] of arms)
      it(nameOf(refusal, status), async () => {
        checkRefused(await shut(state, false), status, refusal)
        const dry = await shut(state, true)
        if (refusal === 'ReadOnly') isOrdinary(subject, dry, true)
        else checkRefused(dry, status, refusal)
      })
}
