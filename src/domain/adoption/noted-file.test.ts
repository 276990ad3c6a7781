import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { addNotes } from './character-files.js'

describe('a character file with notes', () => {
  it('replaces Brak. by the notes', () => {
    equal(
      addNotes('**Stan:**\nZdrowy.\n\n**Dodatkowe informacje:**\n- Brak.\n\n**Opisane sesje:**\n', [
        'Ma blizny.',
      ]),
      '**Stan:**\nZdrowy.\n\n**Dodatkowe informacje:**\n- Ma blizny.\n\n**Opisane sesje:**\n',
    )
  })

  it('appends after the last entry unless an equal line stands there', () => {
    const text = '**Dodatkowe informacje**\n* Ma blizny.\n  Stare.\n\n### 2024-01-01, X, Y\n'
    equal(
      addNotes(text, ['Ma blizny.', 'Nowe.\nDruga linia.']),
      '**Dodatkowe informacje**\n* Ma blizny.\n  Stare.\n- Nowe.\n  Druga linia.\n\n### 2024-01-01, X, Y\n',
    )
    equal(addNotes(text, ['Ma blizny.']), text)
  })

  it('puts a missing section before Opisane sesje, or at the end', () => {
    equal(
      addNotes('**Stan:**\nZdrowy.\n\n**Opisane sesje:**\n', ['X.']),
      '**Stan:**\nZdrowy.\n\n**Dodatkowe informacje:**\n- X.\n\n**Opisane sesje:**\n',
    )
    equal(addNotes('**Stan:**\nZdrowy.', ['X.']), '**Stan:**\nZdrowy.\n\n**Dodatkowe informacje:**\n- X.')
  })

  it('keeps the newlines of the file', () => {
    equal(
      addNotes('**Dodatkowe informacje:**\r\n- A.\r\n', ['B.']),
      '**Dodatkowe informacje:**\r\n- A.\r\n- B.\r\n',
    )
  })
})
