import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { packTexts } from './attempts.js'

const lengths = (texts: ReadonlyArray<string>): ReadonlyArray<number> =>
  packTexts(texts).map(text => Array.from(text).length)

describe('the texts of messages', () => {
  it('are together as long as the platform takes them, in code points', () => {
    deepEqual(packTexts([]), [])
    deepEqual(packTexts(['a', 'b', 'c']), ['a\n\nb\n\nc'])
    deepEqual(lengths(['🐉'.repeat(999), '🐉'.repeat(999)]), [2_000])
    deepEqual(lengths(['🐉'.repeat(1_000), '🐉'.repeat(999)]), [1_000, 999])
  })

  it('are parted where no message takes one whole, and nothing is lost', () => {
    const long = `${'🐉'.repeat(2_000)}koniec`
    deepEqual(lengths(['a', long, 'b']), [1, 2_000, 9])
    deepEqual(packTexts([long]).join(''), long)
  })
})
