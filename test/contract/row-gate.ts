import { it } from 'mocha'
import type { GateState } from '#src/admin/gate-arms.js'
import { isOrdinary, isRefused } from './bench.js'
import type { Check } from './row-contract.js'

const readOnly: Partial<GateState> = { mode: 'ReadOnly' }
const stale: Partial<GateState> = { ...readOnly, syncStale: true }

/** Each arm with every later one shut too: the earliest is named (D28). */
const arms: ReadonlyArray<readonly [refusal: string, state: Partial<GateState>]> = [
  ['SchemaTooNew', { ...stale, format: 'SchemaTooNew' }],
  ['SchemaTooOld', { ...stale, format: 'SchemaTooOld' }],
  ['SyncStale', stale],
  ['ReadOnly', readOnly],
]

const nameOf = (refusal: string): string =>
  `is 403 ${refusal} while that arm is shut${refusal === 'ReadOnly' ? ', save for a dry run' : ''}`

/** What the write gate does with the row (A 4.1.2, A 4.1.3, D28). */
export const gate: Check = (subject, bench) => {
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
    for (const [refusal, state] of arms)
      it(nameOf(refusal), async () => {
        isRefused(await shut(state, false), 403, refusal)
        const dry = await shut(state, true)
        if (refusal === 'ReadOnly') isOrdinary(subject, dry, true)
        else isRefused(dry, 403, refusal)
      })
}
