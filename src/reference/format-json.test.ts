import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { answerExamples } from '#protocol/answer-examples.js'
import { cutLists, formatJson } from './format-json.js'

describe('JSON of the reference', () => {
  it('stands in one line where it fits, and in a line a member where not', () => {
    equal(formatJson({ a: [1, 'ż'], b: {} }), '{ "a": [1, "ż"], "b": {} }')
    const text = formatJson({ long: 'x'.repeat(60), list: ['y'.repeat(60)] })
    equal(text, `{\n  "long": "${'x'.repeat(60)}",\n  "list": ["${'y'.repeat(60)}"]\n}`)
  })

  it('is the JSON of every example', () => {
    for (const answers of Object.values(answerExamples))
      for (const { body } of answers) deepEqual(JSON.parse(formatJson(body)), body)
  })

  it('has at most three items of a list and tells how many it left out', () => {
    deepEqual(cutLists({ a: [1, 2, 3, 4, [5]], b: [[1, 2, 3, 4]] }), [{ a: [1, 2, 3], b: [[1, 2, 3]] }, 3])
    const [cut, leftOut] = cutLists({ a: 1 })
    ok(leftOut === 0)
    deepEqual(cut, { a: 1 })
  })
})
