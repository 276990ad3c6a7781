import assert from 'node:assert/strict'
import { dec } from '#test/support/pu-world.js'
import { noticeOf, type PointsNotice } from './award.js'

const award = (character: string, used: string, nadmiarAfter: string): PointsNotice => ({
  character,
  player: 'Gosia',
  granted: dec('2.5'),
  sumaAfter: dec('30'),
  used: dec(used),
  nadmiarAfter: dec(nadmiarAfter),
})

describe('the notice of an award', () => {
  it('tells of the pool only where it was drawn or holds something', () => {
    assert.equal(
      [award('Anna', '0', '0'), award('Bruno', '1.25', '0.5')].map(noticeOf).join('\n\n'),
      [
        'Postać "Anna" (Gracz "Gosia") otrzymuje 2.50 PU.',
        'Aktualna suma PU tej Postaci: 30.00',
        '',
        'Postać "Bruno" (Gracz "Gosia") otrzymuje 2.50 PU.',
        'Aktualna suma PU tej Postaci: 30.00, wykorzystano PU nadmiarowe: 1.25, pozostałe PU nadmiarowe: 0.50',
      ].join('\n'),
    )
  })
})
