import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { labelCode } from './outbound.js'

describe('the label of a status', () => {
  it('is the status where it is a common one', () => {
    deepEqual([200, 204, 304, 404, 429, 503].map(labelCode), ['200', '204', '304', '404', '429', '503'])
  })

  it('is the class of any other from 100 to 599', () => {
    deepEqual([100, 299, 399, 418, 499, 520, 599].map(labelCode), [
      '1xx',
      '2xx',
      '3xx',
      '4xx',
      '4xx',
      '5xx',
      '5xx',
    ])
  })

  it('is other where there is no such class, so a server adds no labels without end', () => {
    deepEqual([0, 99, 600, 999].map(labelCode), ['other', 'other', 'other', 'other'])
    const labels = new Set(Array.from({ length: 1_000 }, (_, status) => labelCode(status)))
    deepEqual([...labels].filter(label => !/^\d{3}$/.test(label)).sort(), [
      '1xx',
      '2xx',
      '3xx',
      '4xx',
      '5xx',
      'other',
    ])
  })
})
