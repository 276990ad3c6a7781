import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { orderWidely, spreadPoints } from './campaign.js'

const ordered = orderWidely(spreadPoints(100, 100))

describe('the order of the kill points', () => {
  it('has each point once', () => {
    deepEqual(
      [...ordered].sort((a, b) => a - b),
      spreadPoints(100, 100),
    )
  })

  it('reaches every fifth of a scenario with its first ten points', () => {
    const fifths = new Set(ordered.slice(0, 10).map(at => Math.floor((at - 1) / 20)))
    ok(fifths.size === 5, `only the fifths ${[...fifths].join()}`)
  })
})
