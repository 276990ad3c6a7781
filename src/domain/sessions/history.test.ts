import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { dayOf } from '#protocol/atoms.js'
import { entityNamed } from '#src/domain/entities/entities.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { worldOf } from '#test/support/world.js'
import { type HistoryWindow, historyInSlices } from './entity-history.js'

const snapshot = worldOf({
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md': `### Orrin
- @typ: NPC
- @alias: Kupiec (2024-02:)
- @lokacja: Port (2024-05:)
- @lokacja: Zamorze (2023-01:2024-04)
- @dziwny: tak
- @prfwebhook: https://chat.example/api/webhooks/1/tajne
- @tematy_zastrzezone: pająki
`,
})

const whole = { named: false, limit: null, offset: 0 }
const readOrrin = (window: HistoryWindow = {}) => {
  const named = entityNamed(snapshot.entities, 'orrin', snapshot.day)
  if (named === null) throw new Error('no entity')
  return atOnce(historyInSlices(named.entity, window, whole)).items
}
const day = (text: string) => dayOf(text) ?? undefined

describe('the history of an entity', () => {
  it('has every row with its source, undated first, then by FROM; no credential and no restricted topic', () => {
    deepEqual(
      readOrrin().map(({ date, property, value, file, line }) => [date, property, value, file, line]),
      [
        [null, 'Typ', 'NPC', 'encje/indeks.md', 2],
        [null, 'dziwny', 'tak', 'encje/indeks.md', 6],
        ['2023-01-01', 'Lokacja', 'Zamorze', 'encje/indeks.md', 5],
        ['2024-02-01', 'alias', 'Kupiec', 'encje/indeks.md', 3],
        ['2024-05-01', 'Lokacja', 'Port', 'encje/indeks.md', 4],
      ],
    )
  })

  it('is bounded by FROM: with a first day named a row without FROM is left out, with a last day it stays', () => {
    const dates = (window: HistoryWindow) => readOrrin(window).map(one => one.date)
    deepEqual(dates({ from: day('2024-01-01') }), ['2024-02-01', '2024-05-01'])
    deepEqual(dates({ to: day('2024-02-01') }), [null, null, '2023-01-01', '2024-02-01'])
    deepEqual(dates({ from: day('2023-01-01'), to: day('2023-01-01') }), ['2023-01-01'])
  })
})
