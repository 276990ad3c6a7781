import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { settleRows } from './ledger-plan.js'
import { type LegacyRow, quoteRow, readDatedRow } from './legacy/registry.js'

const { path } = sourceFile('entities.md', '')

const rows = (...texts: ReadonlyArray<string>): ReadonlyArray<LegacyRow> =>
  texts.map((text, at) => readDatedRow('lokacja', text, { path, line: at + 1 }))

const settleTexts = (...texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  settleRows(rows(...texts), 'X').rows.map(quoteRow)

describe('settled rows of a scalar', () => {
  it('end the day before a newer row starts', () => {
    deepEqual(settleTexts('A (2023-01:)', 'B (2023-03-15:)'), [
      '"A (2023-01:2023-03-14)"',
      '"B (2023-03-15:)"',
    ])
  })

  it('write the month where the day is its last', () => {
    deepEqual(settleTexts('A', 'B (2024:)'), ['"A (:2023-12)"', '"B (2024:)"'])
  })

  it('go on after a newer row that ended first', () => {
    deepEqual(settleTexts('A (2020:)', 'B (2023-03:2023-06)'), [
      '"A (2020:2023-02)"',
      '"B (2023-03:2023-06)"',
      '"A (2023-07:)"',
    ])
  })

  it('give way to a row of a stronger file that covers them', () => {
    const { rows: kept, findings } = settleRows(rows('A', 'B'), 'X')
    deepEqual(kept.map(quoteRow), ['"B"'])
    deepEqual(
      findings.map(({ kind, line }) => [kind, line]),
      [['RowSuperseded', 1]],
    )
  })

  it('stay as they are where they do not meet', () => {
    const { rows: kept, findings } = settleRows(rows('A (:2022)', 'B (2023:2024-02)', 'C (2024-03:)'), 'X')
    deepEqual(kept.map(quoteRow), ['"A (:2022)"', '"B (2023:2024-02)"', '"C (2024-03:)"'])
    deepEqual(findings, [])
  })

  it('keep an inverted range, which covers no day', () => {
    deepEqual(settleTexts('A (2024:2020)', 'B'), ['"B"', '"A (2024:2020)"'])
  })
})
