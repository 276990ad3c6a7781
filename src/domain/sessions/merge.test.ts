import { deepEqual, equal } from 'node:assert/strict'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { sessionsOfTexts } from '#test/support/session-cases.js'
import { sourceFile } from '#test/support/world.js'
import { mergeSessions } from './merge.js'
import { parseFormerFileInSlices, parseSessionFile } from './reading/session-file.js'

const header = '### 2024-05-03, Tytuł, Solmyr'

const mergeTexts = (...texts: ReadonlyArray<string>) => {
  const sessions = sessionsOfTexts(
    Object.fromEntries(texts.map((text, at) => [`${at}.md`, `${header}\n${text}\n`])),
  )
  const [session] = sessions.all
  if (session === undefined) throw new Error('no session is read')
  return { session, kinds: sessions.findings.map(finding => [finding.kind, finding.severity]) }
}

describe('copies of a session', () => {
  it('are one session, the fullest first, the first of equals', () => {
    const { session } = mergeTexts('- Lokalizacje:\n    - A', 'Proza.', '- Lokalizacje:\n    - b\n    - a')
    deepEqual(
      session.copies.map(copy => copy.path),
      ['1.md', '0.md', '2.md'],
    )
    deepEqual([session.body, session.locations], ['Proza.', ['A', 'b']])
  })

  it('give a character one value, and an error where they differ', () => {
    const { session, kinds } = mergeTexts('- PU:\n    - Anna: 0.3', '- PU:\n    - anna: 0,5\n    - Borys: 1')
    deepEqual(
      session.points.map(one => [one.character, one.value]),
      [
        ['Anna', '0.3'],
        ['Borys', '1'],
      ],
    )
    deepEqual(kinds[0], ['DivergentPoints', 'error'])
  })

  it('agree on PU written alike or not at all', () => {
    deepEqual(
      mergeTexts('- PU:\n    - Anna: 0,30', '- PU:\n    - Anna: 0.3').kinds.filter(
        ([kind]) => kind === 'DivergentPoints',
      ),
      [],
    )
    deepEqual(mergeTexts('- PU:\n    - Anna: 0,3', 'Proza.').kinds, [['DivergentCopies', 'warning']])
  })

  it('act once, while a repeat inside one copy acts again', () => {
    const act = '- @Transfer: 5 koron, A -> B'
    const change = '- @Zmiany:\n    - Sakwa\n        - @ilość: +5'
    equal(mergeTexts(act, act).session.transfers.length, 1)
    equal(mergeTexts(`${act}\n${act}`, act).session.transfers.length, 2)
    deepEqual(
      mergeTexts(change, `${change}\n        - @status: Aktywny`).session.changes.flatMap(one =>
        one.tags.map(tag => tag.value),
      ),
      ['+5', 'Aktywny'],
    )
  })

  it('differ in prose alone as information', () => {
    deepEqual(mergeTexts('A', 'B').kinds, [['DivergentCopies', 'info']])
    deepEqual(mergeTexts('A', 'A').kinds, [])
  })

  it('are the same object while no copy changes, ordered by day and header', () => {
    const parsed = (path: string, text: string) => parseSessionFile(sourceFile(path, text))
    const [a, b] = [
      parsed('a.md', `${header}\n\nA\n\n### 2023-01-01, Z, S\n`),
      parsed('b.md', `${header}\n\nB\n\n### 2024-05-03, A, S\n`),
    ]
    const before = mergeSessions([a, b])
    const after = mergeSessions([a, parsed('b.md', '### 2022-01-01, X, S\n')], before)
    deepEqual(
      before.all.map(session => session.title),
      ['Z', 'A', 'Tytuł'],
    )
    equal(before.byKey.get('2023-01-01, Z, S'), after.byKey.get('2023-01-01, Z, S'))
    equal(after.byKey.get('2024-05-03, Tytuł, Solmyr')?.copies.length, 1)
  })
})

describe('two lists of one kind in one session of a file', () => {
  const listsOf = (name: string, ...lists: ReadonlyArray<ReadonlyArray<string>>): string =>
    lists.map(items => [`- @${name}:`, ...items.map(item => `    - ${item}`)].join('\n')).join('\n')
  const pointsIn = (text: string) =>
    mergeTexts(text).session.points.map(one => `${one.character} ${one.value}`)
  const kindsIn = (text: string) => mergeTexts(text).kinds.map(([kind, severity]) => `${kind} ${severity}`)

  it('are read as one, with a finding, and an item of both counts once', () => {
    const points = listsOf('PU', ['Anna: 0.3', 'Borys: 1'], ['anna: 0,30', 'Cecylia: 2'])
    deepEqual(pointsIn(points), ['Anna 0.3', 'Borys 1', 'Cecylia 2'])
    deepEqual(kindsIn(points), ['RepeatedBlock warning'])
    const act = '5 koron, A -> B'
    equal(mergeTexts(listsOf('Transfer', [act], [act])).session.transfers.length, 1)
    equal(mergeTexts(listsOf('Transfer', [act, act], [act])).session.transfers.length, 2)
    equal(mergeTexts(`- @Transfer: ${act}\n${listsOf('Transfer', [act])}`).session.transfers.length, 1)
    equal(mergeTexts(listsOf('Intel', ['A: x'], ['A: x', 'A: y'])).session.intel.length, 2)
    const sakwa = '- @Zmiany:\n    - Sakwa\n        - @ilość: +5'
    deepEqual(
      mergeTexts(`${sakwa}\n${sakwa}\n        - @status: Aktywny`).session.changes.flatMap(one =>
        one.tags.map(tag => tag.value),
      ),
      ['+5', 'Aktywny'],
    )
    deepEqual(kindsIn(`${listsOf('Lokacje', ['A'], ['a'])}\n${listsOf('Uczestnicy', ['B'], ['C'])}`), [
      'RepeatedBlock warning',
      'RepeatedBlock warning',
    ])
  })

  it('may each be a Transfer behind its name, which repeats by intent', () => {
    const act = '- @Transfer: 5 koron, A -> B'
    equal(mergeTexts(`${act}\n${act}`).session.transfers.length, 2)
    deepEqual(kindsIn(`${act}\n${act}`), [])
  })

  it('are an error where a character has two values, as in one list', () => {
    for (const text of [
      listsOf('PU', ['Anna: 0.3'], ['Anna: 0.5']),
      listsOf('PU', ['Anna: 0.3', 'anna: 0.5']),
      listsOf('PU', ['Anna: 0.3'], ['Anna: trzy']),
    ])
      equal(kindsIn(text).includes('DifferingPoints error'), true, text)
    deepEqual(kindsIn(listsOf('PU', ['Anna: 0.3', 'anna: 0,3'])), ['DuplicatePoints warning'])
  })

  it('were added to each other by the former reader', () => {
    const text = `${header}\n${listsOf('PU', ['Anna: 0.3'], ['Anna: 0.3'])}\n`
    const [copy] = atOnce(parseFormerFileInSlices(sourceFile('a.md', text)))
    equal(copy?.points.length, 2)
  })
})
