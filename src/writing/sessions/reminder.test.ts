import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import { narratorsToRemind, readReminders, remindersPath } from '#src/domain/sessions/reminders.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { sourceFile, worldOf } from '#test/support/world.js'
import { remindersAt } from './reminder.js'

const people =
  '## Gracz\n### Gosia\n- @gameid: 1\n- @chat: sesje/gosia\n### Brzoza\n- @gameid: 2\n- @chat: BRAK\n### Cis\n- @gameid: 3\n- @chat: sesje/cis\n'
const headers = [
  '2026-05-10, Most, Gosia',
  '2026-05-11/12, Targ, Gosia + Brzoza',
  '2026-05-10, Wieża, Cis',
  '2026-05-10, Nieznana, Ktoś',
]
const session = (header: string): string => `### ${header}\n\nOpis.\n\n`
const closed = (header: string): string =>
  `${JSON.stringify({ header, op: 'close', at: '2026-05-11T00:00:00Z', by: 'Cis', source: 'close', transfers: [], intel: [] })}\n`

const worldWith = (
  rows: ReadonlyArray<{ readonly at: string; readonly narrator: string }> = [],
  reminder: Readonly<Record<string, number>> = {},
): Snapshot =>
  worldOf({
    '.svc/config.json': JSON.stringify({
      server: { time_zone: 'Europe/Warsaw' },
      integrations: { chat: { close_reminder: reminder } },
    }),
    'kontrybutorzy.md': people,
    'sesje/maj.md': headers.map(session).join(''),
    [closeLedgerPath]: closed('2026-05-10, Wieża, Cis'),
    [remindersPath]: rows
      .map(
        ({ at, narrator }, id) => `${JSON.stringify({ id: `${id}`, at, by: 'x', narrator, sessions: [] })}\n`,
      )
      .join(''),
  })

const remindedAt = (snapshot: Snapshot, at: string): ReadonlyArray<string> =>
  remindersAt(snapshot, Date.parse(at)).due.map(
    ({ narrator, sessions }) => `${narrator}: ${sessions.map(({ title }) => title).join(', ')}`,
  )

describe('who is reminded of open sessions', () => {
  it('are narrators whose session is over by the civil day, with all of theirs', () => {
    const snapshot = worldWith()
    // 22:00 in UTC is midnight in Warsaw.
    deepEqual(remindedAt(snapshot, '2026-05-10T21:59:59Z'), [])
    deepEqual(remindedAt(snapshot, '2026-05-10T22:00:00Z'), ['Gosia: Most'])
    deepEqual(remindedAt(snapshot, '2026-05-12T21:59:59Z'), ['Gosia: Most'])
    deepEqual(remindedAt(snapshot, '2026-05-12T22:00:00Z'), ['Gosia: Most, Targ'])
  })

  it('are reminded first after the delay', () => {
    const snapshot = worldWith([], { first_reminder_delay_hours: 30 })
    deepEqual(remindedAt(snapshot, '2026-05-12T03:59:59Z'), [])
    deepEqual(remindedAt(snapshot, '2026-05-12T04:00:00Z'), ['Gosia: Most'])
  })

  it('are left alone until the cooldown of the newest row ends, whatever the order of the rows', () => {
    const rows = [
      { at: '2026-05-13T10:00:00Z', narrator: 'GOSIA' },
      { at: '2026-05-12T10:00:00Z', narrator: 'Gosia' },
    ]
    const snapshot = worldWith(rows)
    deepEqual(remindedAt(snapshot, '2026-05-15T09:59:59Z'), [])
    deepEqual(remindedAt(snapshot, '2026-05-15T10:00:00Z'), ['Gosia: Most, Targ'])
    deepEqual(remindedAt(snapshot, '2026-05-11T09:59:59Z'), ['Gosia: Most'], 'a clock that was set back')
    const { skipped } = remindersAt(snapshot, Date.parse('2026-05-14T10:00:00Z'))
    deepEqual(
      skipped.map(({ narrator, remindedMs, to }) => [narrator, remindedMs !== null, to._tag]),
      [
        ['Gosia', true, 'Right'],
        ['Brzoza', false, 'Left'],
      ],
    )
  })

  it('are no persons with a near name', () => {
    const world = worldOf({
      'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n',
      'sesje/maj.md': session('2026-05-10, Most, Solmyrr'),
    })
    deepEqual(narratorsToRemind(world, readReminders(null), Date.parse('2026-06-01T00:00:00Z')), [])
  })

  it('are read from rows; a line that is none is a finding', () => {
    const file = sourceFile(
      remindersPath,
      '{"id":1}\n\n{"id":"a","at":"2026-05-13T10:00:00Z","by":"x","narrator":"Gosia","sessions":[]}\n',
    )
    const { lastMs, findings } = readReminders(file)
    deepEqual([...lastMs.values()], [Date.parse('2026-05-13T10:00:00Z')])
    deepEqual(
      findings.map(({ kind, line }) => [kind, line]),
      [['ReminderUnreadable', 1]],
    )
    equal(lastMs.size, 1)
  })
})
