import assert from 'node:assert/strict'
import { mismatchesOf } from './matching.js'

const fits = (actual: unknown, expected: unknown): boolean => mismatchesOf(actual, expected).length === 0

describe('the matchers of the case files', () => {
  it('compare text without regard to case and null as empty', () => {
    assert.ok(fits('Xeron', 'xeron'))
    assert.ok(!fits('Xeron', 'xeroni'))
    assert.ok(fits([], null) && fits('', null) && !fits('a', null))
  })
  it('assert only the fields that an object names', () => {
    assert.ok(fits({ a: 1, b: 2 }, { a: 1 }))
    assert.ok(!fits({ a: 1 }, { a: 2 }))
  })
  it('tell a list that holds a value from one that does not', () => {
    assert.ok(fits(['a', 'b'], { $contains: ['B'] }))
    assert.ok(!fits(['a'], { $contains: ['b'] }))
    assert.ok(fits(['a'], { $notContains: ['b'] }) && !fits(['b'], { $notContains: ['b'] }))
    assert.ok(fits([{ a: 1, b: 2 }], { $has: [{ a: 1 }] }) && !fits([{ a: 2 }], { $has: [{ a: 1 }] }))
  })
  it('count, compare and order', () => {
    assert.ok(fits([1, 2], { $count: 2, $countMin: 1, $countMax: 2 }) && !fits([1], { $countMin: 2 }))
    assert.ok(fits(3, { $gt: 2 }) && !fits(2, { $gt: 2 }) && fits('2024-05-01', { $lte: '2024-06-01' }))
    assert.ok(fits([{ d: null }, { d: 'a' }, { d: 'b' }], { $nonDecreasing: 'd (nulls ignored)' }))
    assert.ok(!fits([{ d: 'b' }, { d: 'a' }], { $nonDecreasing: 'd' }))
    assert.ok(fits([{ d: 'b' }, { d: 'a' }], { $nonIncreasing: 'd' }))
  })
  it('match wildcards and regular expressions over joined lists', () => {
    assert.ok(fits(['Pierwszy akapit', 'Trzecia linia'], { $like: ['*akapit*', '*Trzecia*'] }))
    assert.ok(
      !fits('a.b', { $like: 'a?c' }) && fits('abc', { $match: ['B.'] }) && !fits('abc', { $match: 'x' }),
    )
  })
  it('read keys as paths', () => {
    const actual = {
      rows: [
        { d: 'In', n: 1 },
        { d: 'Out', n: 2 },
      ],
    }
    assert.ok(
      fits(actual, { 'rows[0]': { n: 1 }, 'rows[-1].n': 2, 'rows.n': [1, 2], 'rows(d=Out)': { $count: 1 } }),
    )
    assert.ok(!fits(actual, { 'rows(d=In)': [] }))
  })
  it('assert a condition only where it holds', () => {
    assert.ok(fits(null, { $ifResolved: { name: 'a' }, stage: '1' }))
    assert.ok(!fits({ name: 'b' }, { $ifResolved: { name: 'a' } }))
    assert.deepEqual(
      mismatchesOf(null, { $ifIndexHas: 'x', name: { $present: true } }, { indexHas: () => false }),
      [],
    )
  })
  it('tell a refusal from an answer', () => {
    assert.ok(
      fits(new Error('Cannot specify both'), { $throws: '*both*' }) && !fits('both', { $throws: '*' }),
    )
  })
  it('refuse a matcher they do not know', () => assert.ok(!fits(1, { $unheard: 1 })))
})
