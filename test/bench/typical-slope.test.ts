import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { typicalSlope } from './typical-slope.js'

describe('the typical slope of readings', () => {
  it('is the growth of each reading over the last', () => {
    equal(typicalSlope([100, 110, 120, 130]), 10)
    equal(typicalSlope([130, 120, 110]), -10)
  })

  it('is hardly moved by one outlying reading', () => {
    equal(typicalSlope([100, 160, 120, 130]), 10)
    equal(typicalSlope([200, 110, 200, 200, 200]), 0)
  })

  it('is not moved by one large step', () => {
    equal(typicalSlope([230, 231, 232, 211, 212]), 1)
  })
})
