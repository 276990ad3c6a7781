import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { sourceFile } from '#test/support/world.js'
import { readHistory } from './outline.js'

const read = (text: string) => readHistory(sourceFile('.robot/res/pu-sessions.md', text))

describe('the history of settled sessions', () => {
  it('keeps the time of each run and the headers below it', () => {
    const { runs } = read(
      'Spis.\n\n## Historia\n\n- 2025-01-15 14:30 (UTC+01:00):\n    - ### 2024-06-15,  Ucieczka, Jawor\n- 2025-02-01 09:00 (UTC+00:00):\n',
    )
    deepEqual(
      runs.map(({ stamp, at, sessions }) => [stamp, at, sessions.map(({ header }) => header)]),
      [
        ['2025-01-15 14:30 (UTC+01:00)', '2025-01-15T13:30:00.000Z', ['2024-06-15, Ucieczka, Jawor']],
        ['2025-02-01 09:00 (UTC+00:00)', '2025-02-01T09:00:00.000Z', []],
      ],
    )
  })

  it('keeps a session above the first stamp and tells of it', () => {
    const { runs, findings } = read('    - ### 2024-06-15, Ucieczka, Jawor\n')
    equal(runs[0]?.sessions.length, 1)
    deepEqual(
      findings.map(({ kind }) => kind),
      ['HistoryUndated'],
    )
  })

  it('tells a stamp that is no time', () => {
    deepEqual(
      read('- 2025-13-45 99:99 (UTC+01:00):\n').findings.map(({ kind, line }) => [kind, line]),
      [['UnplacedText', 1]],
    )
  })
})
