import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { runsOf } from '#test/support/runs.js'
import { fuzzTranscripts, growing, judgeGrowth } from './transcripts.js'

describe('hostile transcripts', () => {
  it('are read by the laws: every byte in one line, the same again, and back from the sidecar', () => {
    deepEqual(fuzzTranscripts('testy', runsOf(1_500)), [])
  }).timeout(60_000)

  for (const [kind, times, text] of growing)
    it(`take no more than time in proportion: ${kind}`, () => {
      deepEqual(judgeGrowth(times / 16, text).why, null)
    }).timeout(60_000)
})
