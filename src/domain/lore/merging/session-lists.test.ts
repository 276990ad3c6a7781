import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { runsOf } from '#test/support/runs.js'
import { mergeFile } from '../../../../test/support/at-once.js'

const header = '### 2026-05-10, Most, N'
const section = (...lines: ReadonlyArray<string>): string => [header, ...lines, ''].join('\n')
const list = (name: string, ...items: ReadonlyArray<string>): ReadonlyArray<string> => [
  `- @${name}:`,
  ...items.map(item => `    - ${item}`),
]

/** The merge of three versions of a file, the same from both hosts. */
const merge = (base: string, ours: string, theirs: string) => {
  const merged = mergeFile('sesje/2026.md', { base, ours, theirs }, 'theirs')
  const swapped = mergeFile('sesje/2026.md', { base, ours: theirs, theirs: ours }, 'ours')
  equal(swapped.text, merged.text)
  equal(swapped.conflicts.length, merged.conflicts.length)
  return { text: merged.text, conflicts: merged.conflicts.map(({ row, cause }) => `${row} ${cause}`) }
}

/** The merge of lists of one kind, of which the base may have none. */
const mergeLists = (
  name: string,
  base: ReadonlyArray<string> | null,
  ours: ReadonlyArray<string>,
  theirs: ReadonlyArray<string>,
) => {
  const text = (items: ReadonlyArray<string> | null): string =>
    items === null ? '# Sesje\n' : `# Sesje\n\n${section(...list(name, ...items), '', 'Opis.')}`
  const { text: merged, conflicts } = merge(text(base), text(ours), text(theirs))
  const whole = merged ?? ''
  const items = whole.split('\n').filter(line => line.startsWith('    '))
  equal(whole.split(`- @${name}:`).length, 2, 'one list')
  equal(whole.split(header).length, 2, 'one section')
  equal(whole.split('Opis.').length, 2, 'one text')
  return [items.map(line => line.trim().slice(2)), conflicts]
}

describe('a merge of one session', () => {
  it('has each PU once, and parks a character with two values', () => {
    for (const [base, ours, theirs, merged, conflicts = []] of [
      [null, ['A: 1'], ['A: 1'], ['A: 1']],
      [null, ['A: 1'], ['A: 1', 'B: 2'], ['A: 1', 'B: 2']],
      [null, ['A: 1', 'C: 3'], ['B: 2', 'A: 1'], ['B: 2', 'A: 1', 'C: 3']],
      [null, ['A: 0,5'], ['a: 0.50'], ['A: 0,5']],
      [null, ['A: 1', 'B: 1'], ['A: 2', 'C: 1'], ['A: 2', 'B: 1', 'C: 1'], ['A added']],
      [null, ['A: 1 (finał)'], ['A: 1'], ['A: 1'], ['A added']],
      [['A: 1'], ['A: 2'], ['A: 3'], ['A: 3'], ['A changed']],
      [['A: 1'], ['A: 1', 'B: 2'], ['B: 2', 'A: 1'], ['B: 2', 'A: 1']],
      [['A: 1'], ['B: 2'], ['A: 3'], ['B: 2', 'A: 3'], ['A removed']],
      [
        ['A: 1', 'B: 1'],
        ['A: 1,0', 'B: 1'],
        ['A: 4', 'B: 1', 'C: 1'],
        ['A: 4', 'B: 1', 'C: 1'],
      ],
      [['A: 1', 'B: 1'], ['B: 1'], ['A: 1', 'B: 1', 'C: 1'], ['B: 1', 'C: 1']],
    ] satisfies ReadonlyArray<
      readonly [
        base: ReadonlyArray<string> | null,
        ours: ReadonlyArray<string>,
        theirs: ReadonlyArray<string>,
        merged: ReadonlyArray<string>,
        conflicts?: ReadonlyArray<string>,
      ]
    >)
      deepEqual(
        mergeLists('PU', base, ours, theirs),
        [merged, conflicts],
        JSON.stringify([base, ours, theirs]),
      )
  })

  it('has an equal item as often as the side that has it more often', () => {
    for (const [name, item] of [
      ['Transfer', '5 koron, A -> B'],
      ['Intel', 'A: wieść'],
      ['PU', 'A: 1'],
      ['Uczestnicy', 'A'],
    ] as const) {
      const times = (count: number): ReadonlyArray<string> => Array.from({ length: count }, () => item)
      for (const [base, ours, theirs, merged] of [
        [null, 1, 1, 1],
        [null, 2, 1, 2],
        [null, 1, 3, 3],
        [1, 2, 2, 2],
        [1, 3, 2, 3],
        [2, 1, 2, 1],
        [2, 3, 1, 2],
      ] as const)
        deepEqual(
          mergeLists(name, base === null ? null : times(base), times(ours), times(theirs)),
          [times(merged), []],
          `${name}: ${base} ${ours} ${theirs}`,
        )
    }
  })

  it('counts equal items apart from each other, and at other places, once', () => {
    const base = section(...list('Transfer', '1 koron, A -> B', '2 koron, A -> B', '3 koron, A -> B'))
    const act = '    - 9 koron, A -> B\n'
    const after = (amount: number): string =>
      base.replace(`${amount} koron, A -> B\n`, `${amount} koron, A -> B\n${act}`)
    deepEqual(merge(base, after(1), after(3)), { text: after(1), conflicts: [] })
    deepEqual(merge(base, after(3), after(1).replace(/$/u, act)).text?.split(act).length, 3)
  })

  it('of additions to any lists has each item as often as the side that has it most often', () => {
    const item = fc.constantFrom('1 koron, A -> B', '2 koron, A -> B', '3 koron, B -> A')
    const added = fc.array(fc.tuple(item, fc.nat(9)), { maxLength: 5 })
    const countOf = (text: string, one: string): number => text.split(one).length - 1
    fc.assert(
      fc.property(fc.array(item, { maxLength: 4 }), added, added, (base, mine, others) => {
        const put = (items: typeof mine): string =>
          section(
            ...list(
              'Transfer',
              ...items.reduce<ReadonlyArray<string>>(
                (all, [one, at]) => all.toSpliced(at % (all.length + 1), 0, one),
                base,
              ),
            ),
          )
        const [ours, theirs] = [put(mine), put(others)]
        const { text, conflicts } = merge(section(...list('Transfer', ...base)), ours, theirs)
        deepEqual(conflicts, [])
        for (const one of ['1 koron', '2 koron', '3 koron'])
          equal(countOf(text ?? '', one), Math.max(countOf(ours, one), countOf(theirs, one)), one)
      }),
      { numRuns: runsOf(500) },
    )
  })

  it('knows a Transfer that stands behind its name, however it is written', () => {
    const base = section('Opis.')
    const act = (text: string): string => section(text, '', 'Opis.')
    deepEqual(merge(base, act('- @Transfer: 5 koron, A -> B'), act('- Transfer: 5 Koron, a -> b')), {
      text: act('- @Transfer: 5 koron, A -> B'),
      conflicts: [],
    })
    const two = section('- @Transfer: 5 koron, A -> B', '- @Transfer: 5 koron, A -> B', '', 'Opis.')
    deepEqual(merge(base, act('- @Transfer: 5 koron, A -> B'), two), { text: two, conflicts: [] })
    deepEqual(
      merge(
        act('- @Transfer: 5 koron, A -> B'),
        act('- @Transfer: 6 koron, A -> B'),
        act('- @Transfer: 7 koron, A -> B'),
      ),
      { text: act('- @Transfer: 7 koron, A -> B'), conflicts: ['@transfer changed'] },
    )
  })

  it('makes one Zmiany of two, entity by entity', () => {
    const changes = (...rows: ReadonlyArray<string>): string =>
      section('- @Zmiany:', ...rows.map(row => (row.startsWith('@') ? `        - ${row}` : `    - ${row}`)))
    const base = section()
    deepEqual(
      merge(
        base,
        changes('Sakwa', '@ilość: +5', 'Miecz', '@status: Aktywny'),
        changes('Sakwa', '@ilość: +5', '@info: pusta'),
      ),
      {
        text: changes('Sakwa', '@ilość: +5', '@info: pusta', 'Miecz', '@status: Aktywny'),
        conflicts: [],
      },
    )
    deepEqual(merge(base, changes('Sakwa', '@ilość: +5'), changes('Sakwa:', '@ilość: +3')), {
      text: changes('Sakwa', '@ilość: +3'),
      conflicts: ['@ilość added'],
    })
  })

  it('makes one list of two that are written in other forms', () => {
    const base = section('Opis.')
    const places = section(...list('Lokacje', 'Deyja', 'Erathia'), '', 'Opis.')
    deepEqual(merge(base, section('- @Lokacje: Deyja', '', 'Opis.'), places), { text: places, conflicts: [] })
    deepEqual(
      merge(
        base,
        section('- PU:', '  - A: 1', '  - B: 2', '', 'Opis.'),
        section(...list('PU', 'A: 1'), '', 'Opis.'),
      ),
      { text: section(...list('PU', 'A: 1', 'B: 2'), '', 'Opis.'), conflicts: [] },
    )
    deepEqual(merge(base, section('- @PU: A: 1', '', 'Opis.'), section('- PU: A: 2', '', 'Opis.')), {
      text: section(...list('PU', 'A: 2'), '', 'Opis.'),
      conflicts: ['A added'],
    })
    deepEqual(
      merge(
        section('- @Lokacje: Deyja'),
        section('- @Lokacje: Deyja, Erathia'),
        section('- @Lokacje: Deyja, Tatalia'),
      ),
      { text: section(...list('Lokacje', 'Deyja', 'Erathia', 'Tatalia')), conflicts: [] },
    )
  })

  it('has one list of each kind, and the texts of both sides', () => {
    const ours = section(...list('PU', 'A: 1'), ...list('Logi', 'https://a.example/1'), '', 'Opis pierwszy.')
    const theirs = section('Opis drugi.', '', ...list('Logi', 'https://a.example/2'), ...list('PU', 'B: 1'))
    const { text, conflicts } = merge('', ours, theirs)
    deepEqual(conflicts, [])
    for (const [part, times] of [
      ['- @PU:\n    - A: 1\n    - B: 1\n', 1],
      ['- @Logi:\n    - https://a.example/1\n    - https://a.example/2\n', 1],
      ['Opis pierwszy.', 1],
      ['Opis drugi.', 1],
      [header, 1],
    ] as const)
      equal(text?.split(part).length, times + 1, part)
  })

  it('leaves blocks that are kept word for word, and lists outside sessions', () => {
    const base = '### Karczma\n'
    const both = merge(base, `${base}- @PU:\n    - A: 1\n`, `${base}- @PU:\n    - A: 2\n`)
    equal(both.text, `${base}- @PU:\n    - A: 1\n- @PU:\n    - A: 2\n`)
    const kept = merge(section(), section('- Nagrody:', '    - A: 1'), section('- Nagrody:', '    - A: 2'))
    equal(kept.text, section('- Nagrody:', '    - A: 1', '- Nagrody:', '    - A: 2'))
  })
})
