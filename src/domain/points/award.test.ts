import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Decimal, formatFixed2, numberOrNull, plus, toNumber, zero } from '#src/domain/lore/figures.js'
import { candidateOf, constants, puSession } from '#test/support/pu-world.js'
import { type MonthBatch, monthBatch } from './award.js'
import type { Award, Batch } from './batches.js'
import type { Candidate, PuSession } from './month-sessions.js'

const anna = (suma: number | null, nadmiar: number): Candidate =>
  candidateOf({
    name: 'Anna',
    aliases: ['Ania'],
    player: 'Gosia',
    puStart: 20,
    puSum: suma,
    puTaken: null,
    puExceeded: nadmiar,
  })

const settle = (
  candidates: ReadonlyArray<Candidate>,
  sessions: ReadonlyArray<PuSession>,
  history: ReadonlyArray<Batch> = [],
): MonthBatch => monthBatch({ month: '2024-06', candidates, sessions, history, constants })

const recordBatch = (batch: MonthBatch): Batch => ({
  id: batch.month,
  month: batch.month,
  at: '2024-07-01T00:00:00Z',
  source: 'batch',
  sessions: batch.countedSessions,
  awards: batch.awards.map(
    (award): Award => ({
      character: award.character,
      granted: toNumber(award.granted),
      sumaBefore: toNumber(award.sumaBefore),
      sumaAfter: toNumber(award.sumaAfter),
      nadmiarBefore: toNumber(award.nadmiarBefore),
      nadmiarAfter: toNumber(award.nadmiarAfter),
    }),
  ),
})

const values = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 5 })

const sessionsOf = (centsOf: ReadonlyArray<number>, from: string): ReadonlyArray<PuSession> =>
  centsOf.map((units, at) =>
    puSession(`2024-06-${String(10 + at)}, ${from}${at}, N`, [
      [at % 2 === 0 ? 'Anna' : 'ania', formatFixed2({ units: BigInt(units), scale: 2 })],
    ]),
  )

const total = (batches: ReadonlyArray<MonthBatch>): Decimal =>
  batches.flatMap(batch => batch.awards).reduce((sum, award) => plus(sum, award.granted), zero)

describe('the batch of a month', () => {
  it('starts a character that has only STARTOWE from STARTOWE', () => {
    const [award] = settle([anna(null, 0)], [puSession('2024-06-10, A, N', [['Anna', '1.5']])]).awards
    assert.ok(award !== undefined)
    assert.deepEqual(
      [award.sumaBefore, award.sumaAfter, award.zdobyteAfter].map(numberOrNull),
      [20, 22.5, 2.5],
    )
  })

  it('settles both worked examples of FORMATS 6.4', () => {
    const examples = [
      { before: [33.4, 11.4, 2.1], sessions: ['0.4', '0.35', '0.5'], after: [4.35, 37.75, 15.75, 0] },
      { before: [61.25, 39.25, 0.6], sessions: ['1.8', '1.5', '1.45'], after: [5, 66.25, 44.25, 1.35] },
    ]
    for (const { before, sessions, after } of examples) {
      const [puSum, puTaken, puExceeded] = before
      const one = candidateOf({ name: 'Anna', player: 'Gosia', puStart: 22, puSum, puTaken, puExceeded })
      const points = sessions.map((pu, at) => puSession(`2024-06-1${at}, ${at}, N`, [['Anna', pu]]))
      const [award] = settle([one], points).awards
      assert.ok(award !== undefined)
      const { granted, sumaAfter, zdobyteAfter, nadmiarAfter } = award
      assert.deepEqual([granted, sumaAfter, zdobyteAfter, nadmiarAfter].map(numberOrNull), after)
    }
  })

  it('counts a month once per character, whatever spelling a session writes', () => {
    const sessions = [
      puSession('2024-06-10, A, N', [['Anna', '0.5']]),
      puSession('2024-06-11, B, N', [['ANIA', '0.5']]),
    ]
    const { awards, countedSessions } = settle([anna(30, 0)], sessions)
    assert.deepEqual(
      awards.map(award => [award.character, numberOrNull(award.granted), award.sessions.length]),
      [['Anna', 2, 2]],
    )
    assert.equal(countedSessions.length, 2)
  })

  it('takes only sessions of the month that are not settled, and says how many were', () => {
    const sessions = ['2024-05-31', '2024-06-01', '2024-06-30', '2024-07-01'].map(date =>
      puSession(`${date}, Sesja, N`, [['Anna', '1']]),
    )
    const legacy: Batch = {
      id: 'l',
      month: null,
      at: '2024-06-05',
      source: 'legacy',
      sessions: ['### 2024-06-01,  sesja, n'],
      awards: [],
    }
    const batch = settle([anna(30, 0)], sessions, [legacy])
    assert.deepEqual([batch.countedSessions, batch.skippedAlreadyCounted], [['2024-06-30, Sesja, N'], 1])
    // The adopted run does not tell its grants: base and first session count as granted.
    assert.deepEqual(
      batch.awards.map(award => numberOrNull(award.granted)),
      [1],
    )
  })

  it('is stopped by one unknown name, and names each with its sessions', () => {
    const sessions = [
      puSession('2024-06-10, A, N', [
        ['Anna', '1'],
        ['Obcy', '1'],
      ]),
      puSession('2024-06-11, B, N', [['Obcy', '1']]),
    ]
    const batch = settle([anna(30, 0)], sessions)
    assert.deepEqual([batch.awards, batch.countedSessions], [[], []])
    assert.deepEqual(batch.unresolved, [
      { character: 'Obcy', candidates: [], sessions: ['2024-06-10, A, N', '2024-06-11, B, N'] },
    ])
  })

  it('is stopped by a name that two characters share, a deleted character, and copies that differ', () => {
    const twin = candidateOf({ name: 'Hanna', aliases: ['Ania'], player: 'Gosia' })
    const shared = settle([anna(30, 0), twin], [puSession('2024-06-10, A, N', [['Ania', '1']])])
    assert.deepEqual(shared.unresolved[0]?.candidates, ['Anna', 'Hanna'])
    const gone: Candidate = { ...anna(30, 0), status: 'Usunięty' }
    const deleted = settle([gone], [puSession('2024-06-10, A, N', [['Anna', '1']])])
    assert.deepEqual([deleted.blocked[0]?.reason, deleted.awards], ['DeletedCharacter', []])
    const copies = {
      ...puSession('2024-06-10, A, N', [['Anna', '1.0']]),
      copies: [[{ character: 'Anna', value: '1.0' }], [{ character: 'Ania', value: '0.5' }]],
    }
    assert.deepEqual(settle([anna(30, 0)], [copies]).blocked[0]?.reason, 'DifferingCopies')
  })

  it('is stopped by a session that gives a character two values, or names it in two ways', () => {
    for (const points of [
      [
        ['Anna', '1'],
        ['Anna', '0.5'],
      ],
      [
        ['Anna', '1'],
        ['ania', '0.5'],
      ],
      [
        ['Anna', '1'],
        ['Ania', '1'],
      ],
    ] as const) {
      const { awards, blocked } = settle([anna(30, 0)], [puSession('2024-06-10, A, N', points)])
      assert.deepEqual(
        [awards, blocked],
        [[], [{ reason: 'SeveralValues', character: 'Anna', sessions: ['2024-06-10, A, N'] }]],
      )
    }
  })

  it('counts a character once for copies that agree, whatever spelling each writes', () => {
    const copies = [[{ character: 'Anna', value: '1.0' }], [{ character: 'Ania', value: '1' }]]
    const merged = { ...puSession('2024-06-10, A, N', [['Anna', '1.0']]), points: copies.flat(), copies }
    const { awards, blocked } = settle([anna(30, 0)], [merged])
    assert.deepEqual([awards.map(award => numberOrNull(award.granted)), blocked], [[2], []])
  })

  it('grants the same for a month settled at once and in two parts', () => {
    fc.assert(
      fc.property(values, values, fc.integer({ min: 0, max: 800 }), (first, second, poolCents) => {
        const pool = poolCents / 100
        const [early, late] = [sessionsOf(first, 'W'), sessionsOf(second, 'P')]
        const whole = settle([anna(30, pool)], [...early, ...late])
        const one = settle([anna(30, pool)], early)
        const between = one.awards[0]
        assert.ok(between !== undefined)
        const grown = anna(toNumber(between.sumaAfter), toNumber(between.nadmiarAfter))
        const two = settle([grown], [...early, ...late], [recordBatch(one)])
        assert.equal(formatFixed2(total([one, two])), formatFixed2(total([whole])))
        const ends = [two, whole].map(batch => batch.awards[0])
        assert.equal(numberOrNull(ends[0]?.nadmiarAfter ?? null), numberOrNull(ends[1]?.nadmiarAfter ?? null))
        assert.equal(numberOrNull(ends[0]?.sumaAfter ?? null), numberOrNull(ends[1]?.sumaAfter ?? null))
      }),
    )
  })

  it('grants nothing when run again', () => {
    fc.assert(
      fc.property(values, centsOf => {
        const sessions = sessionsOf(centsOf, 'S')
        const one = settle([anna(30, 0)], sessions)
        const again = settle([anna(30, 0)], sessions, [recordBatch(one)])
        assert.deepEqual([again.awards, again.skippedAlreadyCounted], [[], sessions.length])
      }),
    )
  })
})
