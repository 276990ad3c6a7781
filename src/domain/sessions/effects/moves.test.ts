import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { instantOf, nameKey } from '#protocol/atoms.js'
import { allFindings } from '#src/snapshot/all-findings.js'
import { buildSnapshot } from '#src/snapshot/build.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { mergeFile } from '#test/support/at-once.js'
import { isFields } from '#test/support/matching.js'
import { day, inputsOf, worldOf } from '#test/support/world.js'
import { judgeMove } from './judgement.js'
import { movesPath } from './moves.js'

const index = `### Skarbiec
- @typ: Grupa

### Anna
- @typ: NPC

### Korony Skarbca
- @typ: Przedmiot
- @generyczne_nazwy: Korony Elanckie
- @należy_do: Skarbiec
- @ilość: 300 (2024-01:)

### Korony Anny
- @typ: Przedmiot
- @generyczne_nazwy: Korony Elanckie
- @należy_do: Anna
- @ilość: 0 (2024-01:)
`

const pay = (amount: number, source = 'Skarbiec', destination = 'Anna', denomination = 'koron') => ({
  amount,
  denomination,
  source,
  destination,
})

const move = (id: string, day: string, ...transfers: ReadonlyArray<object>) =>
  JSON.stringify({ id, at: `${day}T10:00:00Z`, day, by: '1', reason: 'Wypłata', transfers })

const fieldsOf = (line: string) => {
  const read: unknown = JSON.parse(line)
  return isFields(read) ? read : {}
}

const spent = '2024-05-03, Targ, N'
const session = `### ${spent}\n\n- @Transfer: 10 koron, Anna -> Skarbiec\n`
const close = JSON.stringify({
  header: spent,
  op: 'close',
  at: '2026-01-01T00:00:00Z',
  by: 'a',
  source: 'close',
})

const filesWith = (lines: ReadonlyArray<string>, closed = true) => ({
  'encje/indeks.md': index,
  'Sesje.md': session,
  ...(closed ? { '.svc/close/ledger.jsonl': close } : {}),
  [movesPath]: lines.join('\n'),
})

const world = (...lines: ReadonlyArray<string>): Snapshot => worldOf(filesWith(lines))

const rows = ({ entities }: Snapshot, name: string) =>
  (entities.byHeading.get(nameKey(name))?.[0]?.rows ?? [])
    .filter(row => row.tag === 'ilość')
    .map(row => [row.value, row.range.from])

const sumsOf = (snapshot: Snapshot): ReadonlyArray<string | undefined> =>
  ['Korony Skarbca', 'Korony Anny'].map(name => String(rows(snapshot, name).at(-1)?.[0]))

describe('moves of money', () => {
  it('are replayed by date together with the Transfers of sessions', () => {
    const snapshot = world(move('b', '2024-06-01', pay(5)), move('a', '2024-04-01', pay(20)))
    deepEqual(rows(snapshot, 'Korony Anny'), [
      ['0', '2024-01-01'],
      ['20', '2024-04-01'],
      ['10', '2024-05-03'],
      ['15', '2024-06-01'],
    ])
    deepEqual(sumsOf(snapshot), ['285', '15'])
  })

  it('come after the session of their day, and leave the supply as it is when it closes late', () => {
    const lines = [move('a', '2024-05-03', pay(20)), move('b', '2024-08-01', pay(20))]
    const [open, closed] = [worldOf(filesWith(lines, false)), worldOf(filesWith(lines))]
    deepEqual(sumsOf(open), ['260', '40'])
    deepEqual(sumsOf(closed), ['270', '30'])
    deepEqual(
      closed.payments.map(one => one.header ?? one.move),
      [spent, 'a', 'b'],
    )
  })

  it('say in the rows that they add which move and line it was', () => {
    const [anna] =
      world(move('a', '2024-04-01', pay(20))).entities.byHeading.get(nameKey('Korony Anny')) ?? []
    deepEqual(
      anna?.rows.filter(row => row.source._tag === 'Move').map(row => [row.source, row.line]),
      [[{ _tag: 'Move', path: movesPath, id: 'a' }, 1]],
    )
  })

  it('count an id once, and lines that are no row not at all', () => {
    const good = move('a', '2024-04-01', pay(20))
    const bad = [
      '{',
      move('b', '2024-04-31', pay(1)),
      move('c', '2024-04-01'),
      ...[0, -1, 1.5, 1e15].map((amount, at) => move(`d${at}`, '2024-04-01', pay(amount))),
    ]
    const snapshot = world(good, '', ...bad, move('a', '2024-04-02', pay(7)))
    deepEqual(
      snapshot.moves.findings.map(({ kind, severity, line }) => [kind, severity, line]),
      [...bad.map((_, at) => ['MoveUnreadable', 'error', at + 3]), ['MoveRepeated', 'error', bad.length + 3]],
    )
    deepEqual(sumsOf(snapshot), ['290', '10'])
  })

  it('wait for a purse and refuse what is no money, with a finding at their line', () => {
    const snapshot = world(
      move('a', '2024-04-01', pay(1, 'Skarbiec', 'Anna', 'talar'), pay(2, 'Skarbiec', 'Nikt')),
      move('b', '2024-04-02', pay(3, 'Skarbiec', 'Anna', 'kogut'), pay(4, 'Anna', 'Anna')),
    )
    deepEqual(
      snapshot.findings.map(({ kind, file, line, subject }) => [kind, file, line, subject]),
      [
        ['PendingTransfer', movesPath, 1, 'a'],
        ['UnresolvedTransfer', movesPath, 1, 'a'],
        ['RefusedTransfer', movesPath, 2, 'b'],
        ['RefusedTransfer', movesPath, 2, 'b'],
      ],
    )
    deepEqual(
      snapshot.payments.map(one => one.state),
      ['pending', 'pending', 'refused', 'refused', 'applied'],
    )
  })

  it('keep the purses that a row recorded, whatever a name means later', () => {
    const meaning = {
      blocks: [
        { name: 'Skarbiec', heading: 'Skarbiec', type: 'Grupa' },
        { name: 'Anna', heading: 'Anna', type: 'NPC' },
      ],
      purses: [
        { name: 'Skarbiec', denomination: 'Korony Elanckie', heading: 'Korony Skarbca' },
        { name: 'Anna', denomination: 'Korony Elanckie', heading: 'Korony Anny' },
      ],
    }
    const plain = move('a', '2024-04-01', pay(20))
    const recorded = JSON.stringify({ ...fieldsOf(plain), meaning })
    const homonym = { 'encje/b.md': '### Anna\n- @typ: Lokacja\n' }
    const kept = worldOf({ ...filesWith([recorded], false), ...homonym })
    deepEqual(
      [sumsOf(kept), kept.payments.map(one => one.destination.owner)],
      [['280', '20'], [{ heading: 'Anna', type: 'NPC' }]],
    )
    for (const line of [plain, JSON.stringify({ ...fieldsOf(plain), meaning: { blocks: 5 } })]) {
      const byName = worldOf({ ...filesWith([line], false), ...homonym })
      deepEqual(sumsOf(byName), ['300', '0'])
      deepEqual(
        allFindings(byName).flatMap(({ kind, file, subject }) =>
          file === movesPath ? [[kind, subject]] : [],
        ),
        [['AmbiguousTransfer', 'a']],
      )
    }
    const relabelled = filesWith([recorded], false)
    const talary = relabelled['encje/indeks.md'].replace(
      'Korony Elanckie\n- @należy_do: Anna',
      'Talary\n- @należy_do: Anna',
    )
    const other = worldOf({ ...relabelled, 'encje/indeks.md': talary })
    deepEqual(sumsOf(other), ['300', '0'])
    deepEqual(
      other.findings.map(({ kind, file }) => [kind, file]),
      [['PendingTransfer', movesPath]],
    )
  })

  it('record no purse that a record would not find again', () => {
    const twin =
      '### Korony Anny\n- @typ: Przedmiot\n- @generyczne_nazwy: korony\n- @należy_do: Borys\n- @ilość: 7\n'
    const world = worldOf({
      ...filesWith([], false),
      'encje/z.md': `### Borys\n- @typ: NPC\n\n${twin}`,
    })
    const on = day('2024-04-01')
    const transfers = [{ ...pay(5, 'Skarbiec', 'Borys'), line: 1 }]
    const at = instantOf(Date.parse('2024-04-01T10:00:00Z'))
    const judged = judgeMove(world, {
      id: 'a',
      at,
      day: on,
      by: '1',
      reason: 'x',
      transfers,
      meaning: null,
      line: 1,
    })
    deepEqual(
      judged.meaning.purses.map(({ name, heading }) => [name, heading]),
      [['Skarbiec', 'Korony Skarbca']],
    )
    equal(judged.payments[0]?.state, 'applied')
  })

  it('may pay from a purse of a deleted owner, and not from a deleted purse', () => {
    const gone = '- @status: Usunięty (2024-01:)\n'
    const [owner, purse] = ['### Skarbiec\n', '### Korony Skarbca\n'].map(heading =>
      worldOf({
        ...filesWith([move('a', '2024-04-01', pay(20))], false),
        'encje/indeks.md': index.replace(heading, heading + gone),
      }),
    )
    deepEqual(
      owner?.payments.map(one => one.state),
      ['applied'],
    )
    deepEqual(
      purse?.payments.map(one => one.state),
      ['pending'],
    )
  })

  it('of two hosts are merged by line, and an id that both gave counts once', () => {
    const [a, b, c] = [
      move('a', '2024-04-01', pay(1)),
      move('b', '2024-04-02', pay(2)),
      move('c', '2024-04-03', pay(4)),
    ]
    const text = (...lines: ReadonlyArray<string>) => lines.map(line => `${line}\n`).join('')
    const { text: merged, conflicts } = mergeFile(
      movesPath,
      { base: text(a), ours: text(a, b), theirs: text(a, b, c) },
      'ours',
    )
    deepEqual([merged, conflicts], [text(a, b, c), []])
    deepEqual(sumsOf(world(merged ?? '')), ['303', '-3'])
  })

  it('that did not change keep the overlay of the build before, and changed ones do not', () => {
    const lines = [move('a', '2024-04-01', pay(20))]
    const inputs = inputsOf(filesWith(lines))
    const first = buildSnapshot(inputs, null)
    const prose = { ...filesWith(lines), 'Proza.md': 'Nic.\n' }
    const second = buildSnapshot(inputsOf(prose, {}, inputs), first)
    equal(second.snapshot.payments, first.snapshot.payments)
    const more = filesWith([...lines, move('b', '2024-07-01', pay(1))])
    const third = buildSnapshot(inputsOf(more, {}, inputs), second)
    deepEqual(sumsOf(third.snapshot), ['289', '11'])
  })
})
