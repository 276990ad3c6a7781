import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { terminalLine } from './terminal-line.js'

const lineOf = (fields: object): string =>
  terminalLine(
    JSON.stringify({ level: 30, time: '2026-11-22T18:12:07.470Z', pid: 7, town: 'Tuzmer', ...fields }),
  )

describe('a record of the log on a terminal', () => {
  it('is one short line with the time, the level, the event and its fields', () => {
    const fields = { commit: 'a'.repeat(40), actor: 'machine', files: ['a.md', 'b.md'], event: 'wrote' }
    equal(lineOf(fields), '18:12:07 info  wrote  commit: aaaaaaaaaaaa  actor: machine  files: a.md, b.md\n')
    equal(lineOf({ level: 50, reason: null, event: 'gave_up' }), '18:12:07 ERROR gave_up\n')
  })

  it('has the message of an error and not its stack', () => {
    const error = { name: 'Error', message: 'no such row', stack: 'Error: no such row\n    at x' }
    equal(lineOf({ level: 50, error, event: 'uncaught' }), '18:12:07 ERROR uncaught  error: no such row\n')
  })

  it('gives a terminal no control character, and shows what is to be done whole', () => {
    const mend = `git restore -- ${'plik.md '.repeat(100)}`
    equal(
      lineOf({ reason: '\u001b[2Jone\ntwo', mend, event: 'x' }),
      `18:12:07 info  x  reason:  [2Jone two  mend: ${mend}\n`,
    )
    equal(lineOf({ reason: 'x'.repeat(1_000), event: 'x' }).length, '18:12:07 info  x  reason: '.length + 401)
  })

  it('leaves what is no record as it is', () => {
    for (const text of ['', 'not json\n', '{"event": 7}\n', 'null\n']) equal(terminalLine(text), text)
  })
})
