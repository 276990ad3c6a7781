import { deepEqual, equal } from 'node:assert/strict'
import { sessionsOfTexts } from '#test/support/session-cases.js'
import { sourceFile } from '#test/support/world.js'
import { parseSessionFile } from '../reading/session-file.js'
import { mergeSessions } from './merge.js'

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
