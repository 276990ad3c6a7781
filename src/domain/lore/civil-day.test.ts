import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { civilDay, monthBefore, untilNextDayMs } from './rows/days.js'

const at = (text: string): number => Date.parse(text)

describe('the civil day', () => {
  it('is that of the zone, not of UTC', () => {
    equal(civilDay(at('2026-06-30T22:30:00Z'), 'Europe/Warsaw'), '2026-07-01')
    equal(civilDay(at('2026-06-30T22:30:00Z'), 'UTC'), '2026-06-30')
  })

  for (const [from, hours] of [
    ['2026-06-15T10:00:00Z', 12],
    ['2026-03-28T23:00:00Z', 23],
    ['2026-10-24T22:00:00Z', 25],
  ] as const) {
    it(`changes ${hours} hours after ${from} in Warsaw`, () => {
      equal(untilNextDayMs(at(from), 'Europe/Warsaw'), hours * 3_600_000)
    })
  }

  it('changes within the second before midnight', () => {
    equal(untilNextDayMs(at('2026-06-15T21:59:59.400Z'), 'Europe/Warsaw'), 600)
  })

  it('has a month before its own, in January that of the year before', () => {
    const before = (text: string): string => monthBefore(civilDay(at(text), 'Europe/Warsaw'))
    equal(before('2026-12-31T22:59:00Z'), '2026-11')
    equal(before('2026-12-31T23:00:00Z'), '2026-12')
    equal(before('2026-10-15T12:00:00Z'), '2026-09')
    equal(before('2027-01-15T12:00:00Z'), '2026-12')
  })
})
