import { deepEqual, equal } from 'node:assert/strict'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { PlainData } from './plain-data.js'

describe('plain data', () => {
  it('is any value without a function', () => {
    for (const value of [undefined, null, 7, 'Zamorze', [], [1, { a: [null] }], { a: { b: undefined } }])
      deepEqual(PlainData.decode(value), { _tag: 'Right', right: value })
  })

  it('holds no function, however deep', () => {
    const run = (): number => 0
    for (const value of [run, [run], { a: run }, { a: [{ b: run }] }, Object.assign(run, { a: 1 })])
      equal(isRight(PlainData.decode(value)), false)
  })
})
