import { equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { growsAsALine, slowness } from './processor-time.js'

const texts = (size: number): ReadonlyArray<string> => Array.from({ length: size }, (_, at) => `nazwa ${at}`)

describe('the processor time of tests', () => {
  it('tells what grows as a line from what grows as a square', () => {
    equal(
      growsAsALine(20_000, size => new Set(texts(size)).size),
      true,
    )
    const seen: Array<string> = []
    const square = (size: number): void => {
      seen.length = 0
      for (const text of texts(size)) if (!seen.includes(text)) seen.push(text)
    }
    equal(growsAsALine(3_000, square), false)
  })

  it('never makes a bar lower', () => {
    ok(slowness() >= 1)
  })
})
