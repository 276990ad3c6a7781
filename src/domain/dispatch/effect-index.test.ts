import { deepEqual, equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import type { KeyedCommit } from '#protocol/chat/dispatch.js'
import { findIndexed, indexEffects } from './settle-attempt.js'

const commitOf = (digit: string): CommitId => {
  const commit = CommitId.decode(digit.repeat(40))
  if (isLeft(commit)) throw new Error(`${digit} makes no commit`)
  return commit.right
}

const [a, b, c] = [commitOf('a'), commitOf('b'), commitOf('c')] as const
const withKeys = (commit: CommitId, ...keys: ReadonlyArray<string>): KeyedCommit => ({ commit, keys })

describe('the index of effects', () => {
  it('finds each id of a commit, before and after an extension', () => {
    const first = indexEffects(a, null, [withKeys(a, '7', '8')])
    const second = indexEffects(b, first, [withKeys(b, '9')])
    deepEqual(
      ['7', '8', '9', '10'].map(id => findIndexed(second, id)),
      [a, a, b, null],
    )
    equal(findIndexed(first, '9'), null, 'the extension changed the index that it extends')
    equal(second.tip, b)
  })

  it('ignores values that are no id', () => {
    const values = ['07', '0', '-7', ' 7', '7 8', '٧', '18446744073709551616', '', 'seven']
    equal(indexEffects(a, null, [withKeys(a, ...values)]).commits.size, 0)
    equal(indexEffects(a, null, [withKeys(a, '18446744073709551615')]).commits.size, 1)
  })

  it('keeps the greatest ids, and does not say that an id below them has no effect', () => {
    const full = indexEffects(a, null, [withKeys(a, '100', '9', '20'), withKeys(b, '3')], 2)
    deepEqual([...full.commits.keys()].sort(), ['100', '20'])
    deepEqual(
      ['100', '20', '19', '10', '9', '3', '1'].map(id => findIndexed(full, id)),
      [a, a, null, null, 'LeftOut', 'LeftOut', 'LeftOut'],
    )
    const fuller = indexEffects(c, full, [withKeys(c, '50')], 2)
    deepEqual(
      ['100', '50', '49', '20', '9'].map(id => findIndexed(fuller, id)),
      [a, c, null, 'LeftOut', 'LeftOut'],
    )
    equal(findIndexed(indexEffects(c, fuller, [], 2), '9'), 'LeftOut', 'an extension by nothing forgot')
  })
})
