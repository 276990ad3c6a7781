import { deepEqual, equal } from 'node:assert/strict'
import { type LedgerFields, ledgerFrom, line, stateAt } from '#test/support/ledger.js'

const reign = [line(1, '2024-01-10', 'appoint', 'Crag'), line(2, '2024-05-01', 'appoint', 'Solmyr')]
const crag = line(1, '2024-01-01', 'appoint', 'Crag')
const away = [crag, line(2, '2024-02-01', 'leave', 'Crag', { act: 'self-notice', until: '2024-02-20' })]
const back = [...away, line(3, '2024-03-01', 'return', 'Crag')]
const excused = [crag, line(2, '2024-02-01', 'dispense', 'Crag')]
const month = { until: '2024-02', until_precision: 'month' }
const punished = [crag, line(2, '2024-02-01', 'suspend', 'Crag', month)]
const bounded = [line(1, '2024-01-01', 'appoint', 'Crag', month)]
const strange = [line(1, '2024-01-01', 'annoint', 'Crag')]
const terms = [
  line(1, '2023-12-31', 'appoint', 'Crag'),
  line(2, '2023-12-31', 'appoint', 'Solmyr'),
  line(3, '2024-06-01', 'appoint', 'Sandro'),
  line(4, '2024-12-31', 'appoint', 'Solmyr'),
  line(5, '2024-12-31', 'appoint', 'Gunnar'),
]
const contested = [
  line(1, '2024-01-10', 'appoint', 'Crag', { source_authority: 'podpis' }),
  line(2, '2024-01-10', 'appoint', 'Solmyr', { source_authority: 'rozporzadzenie' }),
]

/** Name, ref, rows, day, `subject since absent suspended` of each holder, rows applied. */
type Case = readonly [string, string, ReadonlyArray<LedgerFields>, string, ReadonlyArray<string>, number]

const crag10 = 'Crag 2024-01-10 null false'
const solmyr5 = 'Solmyr 2024-05-01 null false'
const absent = ['Crag 2024-01-01 true false']
const term23 = ['Crag 2023-12-31 null false', 'Solmyr 2023-12-31 null false', 'Sandro 2024-06-01 null false']
const term24 = ['Gunnar 2024-12-31 null false', 'Solmyr 2024-12-31 null false']

const cases: ReadonlyArray<Case> = [
  ['reaches nothing before its first row', 'namiestnik', reign, '2024-01-09', [], 0],
  ['counts the day of the row', 'namiestnik', reign, '2024-01-10', [crag10], 1],
  ['evicts the one holder on appointment', 'namiestnik', reign, '2024-05-01', [solmyr5], 2],
  ['keeps all holders where many may hold', 'narratorzy', reign, '2024-05-01', [crag10, solmyr5], 2],
  ['keeps the membership of one who left', 'narratorzy', away, '2024-02-10', absent, 2],
  ['does not close an absence on its stated until', 'narratorzy', away, '2024-04-01', absent, 2],
  ['knows one who returned as present', 'narratorzy', back, '2024-04-01', ['Crag 2024-01-01 false false'], 3],
  ['takes a dispense for an absence', 'rada', excused, '2024-02-01', absent, 2],
  ['serves a suspension to its last day', 'rada', punished, '2024-02-29', ['Crag 2024-01-01 null true'], 2],
  ['is silent after a suspension', 'rada', punished, '2024-03-01', ['Crag 2024-01-01 null null'], 2],
  ['holds through the month of until', 'rada', bounded, '2024-02-29', ['Crag 2024-01-01 null false'], 1],
  ['ends a hold after its until', 'rada', bounded, '2024-03-01', [], 1],
  ['adds a member within the kadencja', 'rada', terms, '2024-12-30', term23, 3],
  ['ends the kadencja with the next set of 31 December', 'rada', terms, '2024-12-31', term24, 5],
  [
    'lets the higher source be the state',
    'sekretarz',
    contested,
    '2024-02-01',
    ['Solmyr 2024-01-10 null false'],
    1,
  ],
  ['keeps a row of unknown op out of the state', 'narratorzy', strange, '2024-02-01', [], 0],
]

describe('replay of a role', () => {
  for (const [name, ref, lines, at, holders, applied] of cases)
    it(name, () => {
      const state = stateAt(ref, lines, at)
      deepEqual(
        state.holders.map(each =>
          [each.subject, each.since, String(each.absent), String(each.suspended)].join(' '),
        ),
        holders,
      )
      equal(state.applied, applied)
    })

  it('records what the lower source said in the conflicts of the higher', () => {
    const rows = ledgerFrom('namiestnik', contested).transitions.get('namiestnik') ?? []
    deepEqual(
      rows.map(row => [row.subject, row.overruled, row.conflicts]),
      [
        ['Crag', true, []],
        ['Solmyr', false, ['podpis · appoint · Crag · #1']],
      ],
    )
  })
})

describe('replay of instruments and rules', () => {
  const decree = [
    line(1, '2024-01-01', 'enact', 'Karta Narratora', { value: '1.0', until: '2024-12-31' }),
    line(2, '2024-03-01', 'amend', 'Karta Narratora', { value: '1.1', de_facto: true }),
    line(3, '2024-06-01', 'enact', 'Statut', { act: 'RN 4/2024' }),
    line(4, '2024-07-01', 'repeal', 'Statut'),
  ]
  const instruments = (at: string) =>
    stateAt('rozporzadzenia', decree, at).instruments.map(each => [
      each.subject,
      each.status,
      each.version,
      each.until,
    ])

  it('computes the status from the bound', () => {
    deepEqual(instruments('2024-12-31')[0], ['Karta Narratora', 'obowiązujące', '1.1', '2024-12-31'])
    deepEqual(instruments('2025-01-01')[0], ['Karta Narratora', 'wygasłe', '1.1', '2024-12-31'])
  })

  it('ends an instrument on the day of its repeal', () => {
    deepEqual(instruments('2024-06-30')[1], ['Statut', 'obowiązujące', 'RN 4/2024', null])
    deepEqual(instruments('2024-07-01')[1], ['Statut', 'wygasłe', 'RN 4/2024', '2024-07-01'])
  })

  it('keeps de facto apart from the status', () => {
    const state = stateAt('rozporzadzenia', decree, '2025-02-01')
    deepEqual(
      state.instruments.map(each => each.de_facto),
      [true, null],
    )
  })

  it('answers the last value set', () => {
    const rules = [
      line(1, '2024-01-01', 'set', '', { value: 5 }),
      line(2, '2024-02-01', 'set', 'limit dziesięć'),
    ]
    deepEqual(
      ['2023-12-31', '2024-01-31', '2024-02-01'].map(at => stateAt('pu-rules', rules, at).value),
      [null, 5, 'limit dziesięć'],
    )
  })
})
