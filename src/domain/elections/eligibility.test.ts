import assert from 'node:assert/strict'
import { numberOrNull } from '#src/domain/lore/figures.js'
import { type Award, type DatedBatch, dateBatches, monthsBefore } from '#src/domain/points/batches.js'
import type { PuSession } from '#src/domain/points/month-sessions.js'
import { candidateOf, constants, puSession } from '#test/support/pu-world.js'
import { day } from '#test/support/world.js'
import { eligibilityOf, type Voter } from './eligibility.js'

const award = (character: string, granted: number | null): Award => ({
  character,
  granted,
  sumaBefore: null,
  sumaAfter: null,
  nadmiarBefore: null,
  nadmiarAfter: null,
})

/** A batch processed on the 2nd of a month; it settles the month before. */
const batch = (processed: string, ...awards: ReadonlyArray<Award>): DatedBatch => {
  const [month, at] = [monthsBefore(`${processed}-01`, 1), `${processed}-02T12:00:00Z`]
  return { id: month, month, at, source: 'batch', sessions: [], awards, day: day(at.slice(0, 10)) }
}

/** A batch that settles a month and is processed at an instant. */
const settleMonth = (month: string, at: string, granted: number): ReadonlyArray<DatedBatch> =>
  dateBatches(
    [{ id: at, month, at, source: 'batch', sessions: [], awards: [award('Cyryl', granted)] }],
    'Europe/Warsaw',
  )

const legacy = (at: string, sessions: ReadonlyArray<string>): ReadonlyArray<DatedBatch> =>
  dateBatches([{ id: at, month: null, at, source: 'legacy', sessions, awards: [] }], 'Europe/Warsaw')

const cast = [
  candidateOf({ name: 'Anna', player: 'Gosia' }),
  candidateOf({ name: 'Bruno', player: 'Gosia' }),
  candidateOf({ name: 'Cyryl', player: 'Adam' }),
]

const roll = (
  history: ReadonlyArray<DatedBatch>,
  sessions: ReadonlyArray<PuSession> = [],
): ReadonlyArray<Voter> =>
  eligibilityOf({ today: '2026-06-15', players: ['Ewa'], candidates: cast, sessions, history, constants })

const describeVoters = (voters: ReadonlyArray<Voter>): ReadonlyArray<ReadonlyArray<unknown>> =>
  voters.map(one => [
    one.player,
    numberOrNull(one.puScore),
    one.activeMonths,
    numberOrNull(one.total),
    one.status,
  ])

describe('the electoral roll', () => {
  it('counts the base once a month however many characters a player has', () => {
    const history = [
      batch('2026-05', award('Anna', 2), award('Bruno', 1.5)),
      batch('2026-04', award('Anna', 1.5)),
    ]
    assert.deepEqual(describeVoters(roll(history)), [
      ['Gosia', 2, 2, 4, 'UPRAWNIONY'],
      ['Ewa', 0, 0, 0, 'NIEUPRAWNIONY'],
    ])
  })

  it('is eligible from exactly the threshold', () => {
    const totals = [2.99, 3, 3.01].map(granted => roll([batch('2026-05', award('Cyryl', granted))])[0])
    assert.deepEqual(
      totals.map(one => one?.status),
      ['NIEUPRAWNIONY', 'UPRAWNIONY', 'UPRAWNIONY'],
    )
  })

  it('looks back six months and no further', () => {
    const counted = ['2025-11', '2025-12', '2026-06'].map(
      month => roll([batch(month, award('Cyryl', 5))]).find(one => one.player === 'Adam')?.activeMonths ?? 0,
    )
    assert.deepEqual(counted, [0, 1, 1])
    assert.equal(monthsBefore('2026-06-15', 6), '2025-12')
    assert.equal(monthsBefore('2026-06-15', 18), '2024-12')
  })

  it('counts a batch for the month in which it was processed, not for the month that it settles', () => {
    // Three months are settled on one day: one active month and one base, where the settled months would be three.
    const atOnce = ['2026-01', '2026-02', '2026-03'].flatMap(month =>
      settleMonth(month, '2026-05-02T10:00:00+02:00', 1.2),
    )
    assert.deepEqual(describeVoters(roll(atOnce))[0], ['Adam', 2.6, 1, 3.6, 'UPRAWNIONY'])
    // November is settled in December, which is inside the window of June.
    const late = settleMonth('2025-11', '2025-12-03T10:00:00+01:00', 4)
    assert.deepEqual(describeVoters(roll(late))[0], ['Adam', 3, 1, 4, 'UPRAWNIONY'])
  })

  it('takes the month of a batch from its civil day in the zone of the host', () => {
    const months = ['2025-11-30T22:59:00Z', '2025-11-30T23:00:00Z'].map(
      at => roll(settleMonth('2025-10', at, 4)).find(one => one.player === 'Adam')?.activeMonths ?? 0,
    )
    assert.deepEqual(months, [0, 1])
  })

  it('adds two batches of one month and takes the base off once', () => {
    const history = [batch('2026-05', award('Cyryl', 2)), batch('2026-05', award('Cyryl', 0.75))]
    assert.deepEqual(describeVoters(roll(history))[0], ['Adam', 1.75, 1, 2.75, 'NIEUPRAWNIONY'])
  })

  it('counts an adopted run for the civil month in which it was run', () => {
    const sessions = [puSession('2025-11-10, A, N', [['Cyryl', '1']])]
    const months = ['2025-11-30T22:59:00Z', '2025-11-30T23:00:00Z'].map(
      at =>
        roll(legacy(at, ['2025-11-10, A, N']), sessions).find(one => one.player === 'Adam')?.activeMonths ??
        0,
    )
    assert.deepEqual(months, [0, 1])
  })

  it('replays an adopted run that does not tell its grants, the pool carrying over', () => {
    const sessions = [
      puSession('2026-01-10, A, N', [
        ['Cyryl', '6'],
        ['Nieznany', '1'],
      ]),
      puSession('2026-02-10, B, N', [['Cyryl', '0.5']]),
    ]
    const history = [
      ...legacy('2026-02-03T10:00:00+01:00', ['2026-01-10, A, N']),
      ...legacy('2026-03-03T10:00:00+01:00', ['### 2026-02-10, B, N', '2026-02-11, Zniknęła, N']),
    ]
    // 5.0, then 1.5 and 2.0 out of the pool: 4.0 + 2.5 above the base.
    assert.deepEqual(describeVoters(roll(history, sessions))[0], ['Adam', 6.5, 2, 8.5, 'UPRAWNIONY'])
  })
})
