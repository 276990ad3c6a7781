import { equal } from 'node:assert/strict'
import { denominationOf } from './denomination.js'

const table: ReadonlyArray<readonly [string, string | null]> = [
  ['Korony Elanckie', 'Korony Elanckie'],
  ['korony', 'Korony Elanckie'],
  ['koron', 'Korony Elanckie'],
  ['koron elanckich', 'Korony Elanckie'],
  ['TALARÓW', 'Talary Hirońskie'],
  ['talar', 'Talary Hirońskie'],
  ['talarami hirońskimi', 'Talary Hirońskie'],
  ['kogi', 'Kogi Skeltvorskie'],
  ['kóg', null],
  ['Talizman', null],
  ['Korzeń', null],
  ['Kogut', null],
  ['Koronacja', null],
  ['korony cierniowe', null],
  ['', null],
]

describe('a denomination', () => {
  for (const [text, name] of table)
    it(`${name ?? 'none'} is meant by "${text}"`, () => {
      equal(denominationOf(text)?.name ?? null, name)
    })
})
