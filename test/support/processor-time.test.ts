import { equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { growsAsALine, processorTimeMs, slowness } from './processor-time.js'

/** Uses the same processor time on a fast machine as on a slow one. */
const spin = (ms: number): void => {
  const untilMs = processorTimeMs() + ms
  while (processorTimeMs() < untilMs);
}

describe('the processor time of tests', () => {
  it('tells what grows as a line from what grows as a square', () => {
    equal(
      growsAsALine(8, size => spin(size)),
      true,
    )
    equal(
      growsAsALine(3, size => spin(size ** 2)),
      false,
    )
  })

  it('never makes a bar lower', () => {
    ok(slowness() >= 1)
  })
})
