import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { cited, kindsOfFindings, type LedgerFields, line, linesText, stateAt } from '#test/support/ledger.js'
import { sourceFile } from '#test/support/world.js'
import { ledgerOf } from './ledger-file.js'

const crag = line(1, '2024-01-01', 'appoint', 'Crag')
const bounded = line(1, '2024-01-01', 'appoint', 'Crag', { until: '2024-03-01' })
const anew = [
  line(1, '2023-12-31', 'appoint', 'Crag'),
  line(2, '2023-12-31', 'appoint', 'Solmyr'),
  line(3, '2024-12-31', 'appoint', 'Solmyr'),
]
const unclear = line(1, '2024-01-01', 'appoint', 'Crag', { confidence: 'może' })

/** Name, ref, rows, the kinds found. */
const found: ReadonlyArray<readonly [string, string, ReadonlyArray<LedgerFields>, ReadonlyArray<string>]> = [
  ['a row without a cited post', 'rada', [{ ...crag, evidence: [] }], ['GovernanceEvidenceMissing']],
  [
    'evidence that names no post',
    'rada',
    [{ ...crag, evidence: [{ author: 'A' }] }],
    ['GovernanceEvidenceMissing'],
  ],
  [
    'a leave of one who holds nothing',
    'rada',
    [line(1, '2024-01-01', 'leave', 'Crag')],
    ['GovernanceLeaveWithoutHold'],
  ],
  [
    'a second appointment',
    'rada',
    [crag, line(2, '2024-02-01', 'appoint', 'Crag')],
    ['GovernanceDoubleAppoint'],
  ],
  [
    'an unannounced succession',
    'namiestnik',
    [crag, line(2, '2024-02-01', 'appoint', 'Sandro')],
    ['GovernanceSilentSuccession'],
  ],
  [
    'nothing in a succession after a stated end',
    'namiestnik',
    [bounded, line(2, '2024-03-02', 'appoint', 'Sandro')],
    [],
  ],
  [
    'a return without a leave',
    'rada',
    [crag, line(2, '2024-02-01', 'return', 'Crag')],
    ['GovernanceReturnWithoutLeave'],
  ],
  ['nothing when a council is appointed anew', 'rada', anew, []],
  ['an unknown op', 'rada', [line(1, '2024-01-01', 'annoint', 'Crag')], ['GovernanceOpUnknown']],
  [
    'a day that does not exist',
    'rada',
    [line(1, '2024-02-30', 'appoint', 'Crag')],
    ['GovernanceLineUnreadable'],
  ],
  ['a row of another ref', 'rada', [{ ...crag, ref: 'sekretarz' }], ['GovernanceLineUnreadable']],
  ['a word outside its vocabulary', 'rada', [unclear], ['GovernanceWordUnknown']],
  [
    'two rows under one number',
    'rada',
    [crag, line(1, '2024-01-01', 'appoint', 'Sandro')],
    ['GovernanceSeqRepeated'],
  ],
  ['a file of no ref', 'burmistrz', [crag], ['GovernanceRefUnknown']],
]

describe('findings of the governance ledger', () => {
  for (const [name, ref, lines, expected] of found)
    it(`finds ${name}`, () => {
      deepEqual(kindsOfFindings(ref, lines), expected)
    })

  it('goes on after lines that are no JSON, no object, or blank', () => {
    const text = ['{', '7', '', linesText([crag])].join('\r\n')
    const ledger = ledgerOf([sourceFile('governance/ledger/rada.jsonl', text)], null)
    deepEqual(
      ledger.findings.map(finding => [finding.kind, finding.line]),
      [
        ['GovernanceLineUnreadable', 1],
        ['GovernanceLineUnreadable', 2],
      ],
    )
    equal(ledger.transitions.get('rada')?.length, 1)
  })

  it('keeps the row of an unknown op in the log', () => {
    const ledger = ledgerOf(
      [
        sourceFile(
          'governance/ledger/rada.jsonl',
          '{"seq":1,"date":"2024-01-01","op":"x","subject":"A","evidence":[{"post":9}]}',
        ),
      ],
      null,
    )
    deepEqual(
      ledger.transitions.get('rada')?.map(row => [row.op, row.evidence[0]?.post]),
      [['x', '9']],
    )
  })

  it('reports a calendar that is no table of days', () => {
    const ledger = ledgerOf([sourceFile('governance/calendar.json', '[1]')], null)
    deepEqual([ledger.calendar, ledger.findings[0]?.kind], [null, 'GovernanceCalendarUnreadable'])
  })
})

const rowOn = (seq: number, offset: number) =>
  fc.record<LedgerFields>({
    seq: fc.constant(seq),
    date: fc.constant(new Date(Date.UTC(2023, 0, 1 + offset)).toISOString().slice(0, 10)),
    op: fc.constantFrom('appoint', 'leave', 'return', 'suspend', 'dispense', 'inne'),
    subject: fc.constantFrom('Crag', 'Solmyr', 'Sandro', 'Gunnar'),
    until: fc.constantFrom(null, '2023-08', '2024-02-10'),
    evidence: fc.constant(cited),
  })

/** Rows of distinct dates over two years, with their order in the file. */
const dated = fc
  .uniqueArray(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 25 })
  .chain(days => fc.tuple(...days.map((offset, at) => rowOn(at + 1, offset))))

describe('laws of replay', () => {
  const ref = fc.constantFrom('namiestnik', 'rada', 'narratorzy')

  it('does not depend on the order of lines of distinct dates', () => {
    const shuffled = dated.chain(lines =>
      fc.tuple(
        fc.constant(lines),
        fc.shuffledSubarray(lines, { minLength: lines.length, maxLength: lines.length }),
      ),
    )
    fc.assert(
      fc.property(ref, shuffled, (name, [lines, moved]) => {
        deepEqual(stateAt(name, moved, '2025-01-01'), stateAt(name, lines, '2025-01-01'))
      }),
    )
  })

  it('is the same when every line stands twice', () => {
    fc.assert(
      fc.property(ref, dated, (name, lines) => {
        const twice = [...lines, ...lines]
        deepEqual(stateAt(name, twice, '2025-01-01'), stateAt(name, lines, '2025-01-01'))
        deepEqual(kindsOfFindings(name, twice), kindsOfFindings(name, lines))
      }),
    )
  })

  it('accounts for every line, whatever stands on it', () => {
    const sometimes = (value: unknown) => fc.oneof(fc.constant(value), fc.jsonValue({ maxDepth: 2 }))
    const row = fc.record({
      seq: fc.oneof(fc.nat(), fc.string()),
      date: sometimes('2024-01-01'),
      op: sometimes('appoint'),
      subject: sometimes('Crag'),
      until: sometimes(null),
      evidence: sometimes(cited),
      // No two rows are the same line.
      sieve: fc.uuid(),
    })
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      row.map(each => JSON.stringify(each)),
    )
    fc.assert(
      fc.property(fc.array(text), texts => {
        const body = texts.map(each => each.replaceAll('\n', ' ')).join('\n')
        const ledger = ledgerOf([sourceFile('governance/ledger/rada.jsonl', body)], null)
        const refused = ledger.findings.filter(finding => finding.severity === 'error').length
        const written = body.split('\n').filter(each => each.trim() !== '').length
        equal(refused + (ledger.transitions.get('rada')?.length ?? 0), written)
      }),
    )
  })

  it('never seats two on a ref of one', () => {
    fc.assert(
      fc.property(dated, lines => {
        equal(stateAt('sekretarz', lines, '2025-01-01').holders.length <= 1, true)
      }),
    )
  })
})
