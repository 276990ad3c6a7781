import assert, { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { allFindings } from '#src/snapshot/all-findings.js'
import { sourceFile, worldOf } from '#test/support/world.js'
import { parseBatches } from './batches.js'

const file = (text: string) => sourceFile('.svc/pu/batches.jsonl', text)
const line = JSON.stringify({
  id: 'a',
  month: null,
  at: '2025-01-15T14:30:00+01:00',
  source: 'legacy',
  sessions: ['x'],
  awards: [],
})

describe('the PU ledger', () => {
  it('keeps the order of the file and skips blank lines', () => {
    const { all, findings } = parseBatches(
      file(`${line}\n\n${line.replace('"a"', '"b"').replace('"x"', '"y"')}\r\n`),
    )
    assert.deepEqual([all.map(batch => batch.id), findings], [['a', 'b'], []])
    const none = parseBatches(null)
    assert.deepEqual([none.all, none.findings], [[], []])
  })

  it('reports each line that is no batch, with its number, and reads the others', () => {
    const { all, findings } = parseBatches(file(`{"id":\n${line}\n{"id":"c","month":7}\n`))
    assert.equal(all.length, 1)
    assert.deepEqual(
      findings.map(finding => [finding.kind, finding.line]),
      [
        ['BatchUnreadable', 1],
        ['BatchUnreadable', 3],
      ],
    )
  })

  const row = (fields: object): string => JSON.stringify({ ...JSON.parse(line), ...fields })
  const award = (character: string, granted: number) => ({
    character,
    granted,
    sumaBefore: 1,
    sumaAfter: 2,
    nadmiarBefore: 0,
    nadmiarAfter: 0,
  })
  const world = (...rows: ReadonlyArray<object>) => {
    const snapshot = worldOf({
      'encje/indeks.md': '### Anna\n- @typ: Postać\n- @alias: Ania\n',
      'Sesje.md': ['A', 'B', 'C'].map(title => `### 2024-05-03, ${title}, Brzoza\n\nProza.\n`).join('\n'),
      '.svc/pu/batches.jsonl': rows.map(fields => `${row(fields)}\n`).join(''),
    })
    return {
      counted: snapshot.batches.all.map(({ id, month, sessions, awards }) => [
        id,
        month,
        sessions.length,
        awards.map(({ granted }) => granted),
      ]),
      found: allFindings(snapshot)
        .filter(({ file }) => file === '.svc/pu/batches.jsonl')
        .map(({ kind, line, subject }) => [kind, line, subject]),
    }
  }
  const [a, b, c] = ['2024-05-03, A, Brzoza', '2024-05-03, B, Brzoza', '2024-05-03, C, Brzoza']

  it('counts a repeated row, a session and an award once, and finds the second', () => {
    const first = {
      id: '1',
      month: '2024-05',
      sessions: [a, b],
      awards: [award('Ania', 2), award('ANIA', 3)],
    }
    deepEqual(
      world(first, first, { ...first, id: '2' }, { id: '3', sessions: [`### ${a}`.toUpperCase(), c, c] }),
      {
        counted: [
          ['1', '2024-05', 2, [2]],
          ['3', null, 1, []],
        ],
        found: [
          ['AwardRepeated', 1, 'ANIA'],
          ['BatchRepeated', 2, '1'],
          ['SessionSettledTwice', 3, a],
          ['SessionSettledTwice', 3, b],
          ['BatchRepeated', 3, '2'],
          ['SessionSettledTwice', 4, `### ${a}`.toUpperCase()],
          ['SessionSettledTwice', 4, c],
        ],
      },
    )
  })

  it('keeps sessions settled that a row with a known id names for the first time', () => {
    deepEqual(
      world({ sessions: [a], awards: [award('Anna', 1)] }, { sessions: [b], awards: [award('Anna', 4)] }),
      {
        counted: [
          ['a', null, 1, [1]],
          ['a', null, 1, []],
        ],
        found: [['BatchRepeated', 2, 'a']],
      },
    )
  })

  it('finds a date that does not exist, a header that no session has, and an unknown character', () => {
    deepEqual(
      world(
        { id: '1', month: '2024-13', sessions: [a] },
        { id: '2', at: '2024-02-30T10:00:00Z', sessions: [b] },
        { id: '4', at: '2024-13-01T10:00:00Z', month: '2024-1', sessions: [c] },
        { id: '3', sessions: ['2024-05-03, Znikła, Brzoza'], awards: [award('Nikt', 1)] },
      ),
      {
        counted: [
          ['1', null, 1, []],
          ['2', null, 1, []],
          ['4', null, 1, []],
          ['3', null, 1, [1]],
        ],
        found: [
          ['BatchDate', 1, '1'],
          ['BatchDate', 2, '2'],
          ['BatchDate', 3, '4'],
          ['SettledSessionUnknown', 4, '2024-05-03, Znikła, Brzoza'],
          ['AwardUnknown', 4, 'Nikt'],
        ],
      },
    )
  })

  it('takes a row with numbers that no batch can have for unreadable', () => {
    const granting = (fields: object, source = 'batch'): string =>
      row({ source, awards: [{ ...award('Anna', 1), ...fields }] })
    const points = (pu: unknown): object => ({ points: [{ session: 'x', pu }] })
    const good = [granting({}), granting({ granted: 0, sumaAfter: 1 }), granting(points('0.5'))]
    const bad = [
      ...[granting({ granted: -1, sumaAfter: 0 }), granting({ granted: 2 }), granting({ granted: null })],
      ...[granting({ granted: '1' }), granting({ granted: 1e308 }), granting({ nadmiarAfter: -1 })],
      ...[granting({ nadmiarBefore: 1e15 }), granting(points('-50')), granting(points(5))],
      ...[
        granting({ nadmiarBefore: 1e15 }, 'legacy'),
        granting({}).replace('"sumaAfter":2', '"sumaAfter":1e999'),
      ],
    ]
    deepEqual(
      parseBatches(file([...good, ...bad].join('\n'))).findings.flatMap(({ kind, line }) =>
        kind === 'BatchUnreadable' ? [line] : [],
      ),
      bad.map((_, at) => good.length + at + 1),
    )
    deepEqual(parseBatches(file(granting({ granted: null }, 'legacy'))).findings, [])
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        assert.ok(parseBatches(file(text)).findings.every(finding => finding.severity === 'error'))
      }),
    )
  })
})
