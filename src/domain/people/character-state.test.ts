import assert from 'node:assert/strict'
import { splitRange } from '#src/domain/lore/rows/days.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { day, sourceFile } from '#test/support/world.js'
import { parseCharacterFile } from './character-file.js'
import { type CharacterState, stateOn } from './characters.js'

const file = parseCharacterFile(
  sourceFile(
    'Postaci/Gracze/Anna.md',
    '**Stan:** Zdrowa.\n**Tematy zastrzeżone:** gore\n**Przedmioty specjalne:**\n- Miecz\n**Reputacja:**\n- Neutralna: Erathia (kupiec)\n',
  ),
)

const row = (tag: string, written: string): Row => {
  const { text, range } = splitRange(written)
  return {
    tag,
    value: text,
    range,
    auto: false,
    line: 1,
    endLine: 1,
    source: { _tag: 'Session', header: 'h' },
  }
}

const on = (at: string, rows: ReadonlyArray<Row>): CharacterState => stateOn(file, rows, day(at))

describe('the state of a character', () => {
  it('is the file where no row speaks', () => {
    const state = on('2024-01-01', [])
    assert.deepEqual(
      [state.condition, state.specialItems, state.restrictedTopics],
      ['Zdrowa.', ['Miecz'], 'gore'],
    )
  })

  it('takes a session value only within its range', () => {
    const rows = [row('stan', 'Ranna (2024-03:2024-06)')]
    assert.deepEqual(
      ['2024-02-29', '2024-03-01', '2024-06-30', '2024-07-01'].map(at => on(at, rows).condition),
      ['Zdrowa.', 'Ranna', 'Ranna', 'Zdrowa.'],
    )
  })

  it('adds items and places, and keeps the detail that the file gives', () => {
    const state = on('2024-05-01', [
      row('przedmiot_specjalny', 'Łuk (2024:)'),
      row('przedmiot_specjalny', 'Miecz'),
      row('reputacja_neutralna', 'erathia (2024:)'),
      row('reputacja_neutralna', 'Deyja: zdrada (2024:)'),
    ])
    assert.deepEqual(state.specialItems, ['Miecz', 'Łuk'])
    assert.deepEqual(state.reputation.neutral, [
      { location: 'Erathia', detail: 'kupiec' },
      { location: 'Deyja', detail: 'zdrada' },
    ])
  })

  it('reads Brak as no restricted topic', () => {
    assert.equal(on('2024-05-01', [row('tematy_zastrzezone', 'Brak.')]).restrictedTopics, null)
  })
})
