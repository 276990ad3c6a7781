import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import { projectionOf } from '#test/support/at-once.js'
import { worldOf } from '#test/support/world.js'

const header = '2024-05-03, T, Solmyr'

describe('an entity as it is served', () => {
  it('tells file and line of a row of a file, and the session alone of a row of a session', () => {
    const { entities, day } = worldOf({
      'encje/indeks.md': '### Rion\n- @typ: NPC\n- @lokacja: Deyja\n',
      'Sesje.md': `### ${header}\n\n- @Zmiany:\n    - Rion\n        - @lokacja: Erathia\n`,
      '.svc/close/ledger.jsonl': JSON.stringify({
        header,
        op: 'close',
        at: '2026-01-01T00:00:00Z',
        by: 'a',
        source: 'close',
      }),
    })
    const rion = entities.byHeading.get(nameKey('Rion'))?.[0]
    const tags = rion === undefined ? [] : projectionOf(rion, day, null).Tags
    deepEqual(
      tags.filter(row => row.Tag === 'lokacja').map(row => [row.Value, row.File, row.Line, row.Session]),
      [
        ['Deyja', 'encje/indeks.md', 3, null],
        ['Erathia', null, null, header],
      ],
    )
  })
})
