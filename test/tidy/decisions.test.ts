import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { citingTexts } from './citations.js'
import { findBrokenLinks } from './links.js'
import { documents, type Source } from './sources.js'

const folder = 'docs/decisions/'
const records = documents.filter(({ path }) => path.startsWith(folder) && !path.endsWith('README.md'))
const index: Source = documents.find(({ path }) => path === `${folder}README.md`) ?? { path: '', text: '' }
const numberOf = ({ path }: Source): string => path.slice(folder.length, folder.length + 4)
const numbers: ReadonlySet<string> = new Set(records.map(numberOf))
const titleOf = (text: string): string => /^# (\d{4} .+)$/m.exec(text)?.[1] ?? ''

const sections = ['Status', 'Context', 'Decision', 'Alternatives considered', 'Consequences']
const sectionsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^## (.+)$/gm)].map(found => found[1] ?? '')
const countWords = (text: string): number => text.split(/\s+/).filter(word => word !== '').length

/** The records that a text cites: `ADR` and a number, more numbers behind commas. */
const findCited = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\bADR (\d{4}(?:, \d{4})*)/g)].flatMap(found => (found[1] ?? '').split(', '))

const findUncited = ({ path, text }: Source): ReadonlyArray<string> =>
  findCited(text)
    .filter(number => !numbers.has(number))
    .map(number => `${path}: ${number}`)

describe('the decisions', () => {
  it('are named by their number, one each, from 1001 on', () => {
    deepEqual(
      records.filter(one => !titleOf(one.text).startsWith(numberOf(one))).map(one => one.path),
      [],
    )
    deepEqual(numbers.size, records.length)
    deepEqual(
      [...numbers].filter(number => number < '1001'),
      [],
    )
  })

  it('stand in the index in their order', () => {
    const listed = [...index.text.matchAll(/^- \[(\d{4} .+)\]\((.+)\)$/gm)].map(found => [found[1], found[2]])
    const expected = records.map(({ path, text }) => [titleOf(text), path.slice(folder.length)]).sort()
    deepEqual(listed, expected)
  })

  it('have status, context, decision, alternatives and consequences, in 150 to 500 words', () => {
    deepEqual(
      records.filter(({ text }) => sectionsOf(text).join() !== sections.join()).map(one => one.path),
      [],
    )
    deepEqual(
      records
        .map(({ path, text }) => [path, countWords(text)] as const)
        .filter(([, n]) => n < 150 || n > 500),
      [],
    )
  })

  it('lead to records, pages and anchors that are there', () => {
    deepEqual([...records, index].flatMap(findBrokenLinks), [])
  })

  it('tell what took the place of each earlier record, once', () => {
    const earlier = [...index.text.matchAll(/^\| (0\d{3}) \| \[/gm)].map(found => found[1] ?? '')
    deepEqual(earlier, [...new Set(earlier)].sort())
    deepEqual(earlier.length > 170, true)
  })

  it('are cited by the numbers of records that are there', () => {
    deepEqual(citingTexts.flatMap(findUncited), [])
    const name = 'ADR'
    const text = `Lands a write (${name} 1010, 0100; ${name} 0132).`
    deepEqual(findUncited({ path: 'src/a.ts', text }), ['src/a.ts: 0100', 'src/a.ts: 0132'])
  })
})
