import assert from 'node:assert/strict'
import { dec } from '#test/support/pu-world.js'
import { noticeOf, type PointsNotice } from './award.js'

const award = (
  character: string,
  used: string,
  nadmiarAfter: string,
  more: Partial<PointsNotice> = {},
): PointsNotice => ({
  character,
  player: 'Gosia',
  granted: dec('2.5'),
  sumaAfter: dec('30'),
  used: dec(used),
  nadmiarBefore: dec('0'),
  nadmiarAfter: dec(nadmiarAfter),
  ...more,
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

  it('says where points go that the cap of the month leaves over, in place of 0.00 PU', () => {
    const none = dec('0')
    assert.equal(
      noticeOf(award('Anna', '0', '1.75', { granted: none, nadmiarBefore: dec('1') })),
      [
        'Postać "Anna" (Gracz "Gosia") osiągnęła już miesięczny limit PU: 0.75 PU trafia do jej PU nadmiarowych.',
        'Aktualna suma PU tej Postaci: 30.00, pozostałe PU nadmiarowe: 1.75',
      ].join('\n'),
    )
    assert.match(
      noticeOf(award('Anna', '0', '1', { granted: none, nadmiarBefore: dec('1') })),
      /otrzymuje 0\.00 PU/,
    )
  })
})
