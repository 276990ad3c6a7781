import { deepEqual, equal } from 'node:assert/strict'
import { day } from '#test/support/world.js'
import { kadencjaOf } from './calendar.js'
import { memberNamed } from './state.js'

const findMember = (subjects: ReadonlyArray<string>, name: string): string | null =>
  memberNamed(
    subjects.map(subject => ({ subject })),
    name,
  )?.subject ?? null

describe('membership of one subject', () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, string, string | null]> = [
    ['meets the equal name whatever its case', ['Jan Kowal'], 'jan  KOWAL', 'Jan Kowal'],
    ['meets a part of the name', ['Jan Kowal'], 'Kowal', 'Jan Kowal'],
    ['meets a longer form of the name', ['Kowal'], 'Narrator Jan Kowal', 'Kowal'],
    ['does not meet a part of a word', ['Kowalski'], 'Kowal', null],
    ['does not guess between two', ['Jan Kowal', 'Jan Młynarz'], 'Jan', null],
    ['prefers the equal name to a longer one', ['Jan Kowal', 'Jan'], 'Jan', 'Jan'],
    ['meets nobody by punctuation', ['Jan'], '—', null],
  ]
  for (const [name, subjects, asked, expected] of cases)
    it(name, () => {
      equal(findMember(subjects, asked), expected)
    })
})

describe('kadencja', () => {
  it('begins on 31 December and ends on 30 December', () => {
    deepEqual(kadencjaOf(day('2024-12-30')), { year: 2024, from: '2023-12-31', to: '2024-12-30' })
    deepEqual(kadencjaOf(day('2024-12-31')), { year: 2025, from: '2024-12-31', to: '2025-12-30' })
  })
})
