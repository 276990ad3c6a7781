import assert from 'node:assert/strict'
import { ledgerKey } from '#src/domain/lore/session-header.js'
import { candidateOf, puSession } from '#test/support/pu-world.js'
import { diagnosticsOf, puCandidatesIn } from './diagnostics.js'
import { placeAmong } from './month-sessions.js'

const place = placeAmong([candidateOf({ name: 'Anna', aliases: ['Ania'] })])

describe('the diagnostics of a window', () => {
  it('counts every repeat of a name within a session', () => {
    const session = puSession('2024-06-10, A, N', [
      ['Anna', '1'],
      ['anna', '1'],
      ['Anna', '1'],
    ])
    const found = diagnosticsOf({ sessions: [session], failed: [], settled: [], known: new Set(), place })
    assert.deepEqual([found.ok, found.duplicates[0]?.count], [false, 3])
  })

  it('tells of stale history without failing', () => {
    const known = new Set([ledgerKey('2024-06-10, A, N')])
    const settled = ['### 2024-06-10,  A, n', '2023-01-01, Dawna, N']
    const found = diagnosticsOf({ sessions: [], failed: [], settled, known, place })
    assert.deepEqual([found.ok, found.stale], [true, ['2023-01-01, Dawna, N']])
  })

  it('finds the names of a PU block up to the next line at the margin', () => {
    const body =
      'Opis.\n- @PU:\n    - Anna: 0,5\n    - Bruno: 1\n    - Cyryl: trzy\n- Logi:\n    - Doris: 2\n'
    assert.deepEqual(puCandidatesIn(body), ['Anna', 'Bruno'])
  })
})
