import assert from 'node:assert/strict'
import { growsAsALine } from '#test/support/processor-time.js'
import { day } from '#test/support/world.js'
import { activeOn, parseBound, splitRange } from './rows/days.js'

const splitText = (text: string) => {
  const found = splitRange(text)
  return [found.text, found.range.from, found.range.to, found.suspect]
}

describe('validity ranges', () => {
  it('expand a bound to the first or the last day of its period, leap years respected', () => {
    assert.equal(parseBound('2024-02', 'to'), '2024-02-29')
    assert.equal(parseBound('2023-02', 'to'), '2023-02-28')
    assert.equal(parseBound('2024', 'from'), '2024-01-01')
    assert.equal(parseBound('2024', 'to'), '2024-12-31')
    assert.equal(parseBound('2024-13', 'to'), null)
  })
  it('take both ends as inclusive and a missing one as open', () => {
    const { range } = splitRange('X (2024-01:2024-06)')
    assert.ok(activeOn(range, day('2024-01-01')) && activeOn(range, day('2024-06-30')))
    assert.ok(!activeOn(range, day('2023-12-31')) && !activeOn(range, day('2024-07-01')))
    assert.ok(activeOn(splitRange('X').range, day('1000-01-01')))
  })
  it('split a range off only where both sides are empty or dates', () => {
    assert.deepEqual(splitText('Orrin (2024-01:)'), ['Orrin', '2024-01-01', null, false])
    assert.deepEqual(splitText('Karczma (uwaga: zła)'), ['Karczma (uwaga: zła)', null, null, false])
    assert.deepEqual(splitText('Rok (2024)'), ['Rok (2024)', null, null, false])
    assert.deepEqual(splitText('Pusto (:)'), ['Pusto (:)', null, null, false])
    assert.deepEqual(splitText('X (2024-6:)'), ['X (2024-6:)', null, null, true])
  })
  it('leave the side of a date that does not exist open, and say so', () => {
    assert.deepEqual(splitText('X (2024-01:2024-13)'), ['X', '2024-01-01', null, true])
    assert.deepEqual(splitText('X (2024-02-30:)'), ['X', null, null, true])
  })
  it('read a hundred thousand brackets in linear time', () => {
    const ofBrackets = (count: number) => splitRange(`${'('.repeat(count)}2024:)`)
    assert.equal(ofBrackets(100_000).text.length, 99_999)
    assert.ok(growsAsALine(100_000, ofBrackets))
  })
})
