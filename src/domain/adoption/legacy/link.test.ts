import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { runsOf } from '#test/support/runs.js'
import { linkIn } from './outline.js'

/** The same by trying at every bracket, which takes a time that grows with the square of the text. */
const byPattern = (text: string): ReturnType<typeof linkIn> => {
  const found = /\[([^\]]{1,400})\]\(([^)]{0,1000})\)/.exec(text)
  if (found === null) return null
  const [whole, name = '', target = ''] = found
  return { name, target, from: found.index, to: found.index + whole.length }
}

const filler = fc.constantFrom('x', 'y'.repeat(398), 'y'.repeat(400), 'z'.repeat(1000), 'z'.repeat(1001))
const sign = fc.constantFrom('[', ']', '(', ')', '](', '[a](b)')
const texts = fc.array(fc.oneof({ weight: 3, arbitrary: sign }, filler), { maxLength: 12 })

describe('a link of the legacy roster', () => {
  it('is the one that trying at every bracket finds', () => {
    fc.assert(
      fc.property(texts, parts => {
        const text = parts.join('')
        deepEqual(linkIn(text), byPattern(text))
      }),
      { numRuns: runsOf(2000) },
    )
  })

  it('is found with what stands beside it', () => {
    deepEqual(linkIn('[Orrin](Postaci/Orrin.md) od dawna'), {
      name: 'Orrin',
      target: 'Postaci/Orrin.md',
      from: 0,
      to: 25,
    })
    deepEqual(linkIn('[](Orrin.md) [Orrin]'), null)
  })
})
