import { deepEqual } from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'mocha'
import { runsOf } from '#test/support/runs.js'
import {
  describeTakeoverEnd,
  describeTownNotice,
  quietMs,
  type SeenTown,
  seenTownOf,
  type TownWatch,
  watchTowns,
} from './monitor.js'

const minuteMs = 60_000
const up: SeenTown = { isDark: false, role: 'replica', bootId: 'b1' }
const dark: SeenTown = { isDark: true, role: null, bootId: 'b1' }

type Look = readonly [seen: SeenTown, hasDuty?: boolean]

/** Looks at one town once a minute; returns the text of each notice with its minute. */
const looksAt = (looks: ReadonlyArray<Look>): ReadonlyArray<string> => {
  let watch: TownWatch = null
  return looks.flatMap(([seen, hasDuty = true], at) => {
    const looked = watchTowns(watch, new Map([['Deyja', seen]]), hasDuty, at * minuteMs)
    watch = looked.watch
    return looked.notices.map(notice => `${at}: ${describeTownNotice(notice)}`)
  })
}

describe('what is reported of a town', () => {
  it('are changes alone: what is so when the duty is taken is no news', () => {
    deepEqual(looksAt([[dark], [dark], [up], [up]]), ['2: Host Deyja znów odpowiada.'])
    deepEqual(looksAt([[up], [dark]]), ['1: Host Deyja nie odpowiada.'])
  })

  it('is nothing without the duty, and a host that takes it again has a new baseline', () => {
    deepEqual(looksAt([[up], [dark, false], [dark], [dark], [up]]), ['4: Host Deyja znów odpowiada.'])
  })

  it('is a role, which no answer leaves as it was', () => {
    const primary: SeenTown = { ...up, role: 'primary' }
    deepEqual(looksAt([[up], [{ ...up, role: null }], [up], [primary]]), [
      '3: Host Deyja zmienił rolę: zapasowy → główny.',
    ])
    deepEqual(looksAt([[{ ...up, role: null }], [primary]]), [])
  })

  it('is one notice in ten minutes for a town that goes up and down, with the count', () => {
    const looks: ReadonlyArray<Look> = [
      [up],
      ...Array.from({ length: 9 }, (_, at): Look => [at % 2 === 0 ? dark : up]),
      ...Array.from({ length: 12 }, (): Look => [up]),
    ]
    deepEqual(looksAt(looks), [
      '1: Host Deyja nie odpowiada.',
      '11: Host Deyja znów odpowiada. Zmiany od poprzedniej wiadomości: 9.',
    ])
  })

  it('never comes twice in ten minutes for a kind, and in the end is what is so', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(up, dark, { ...up, isDark: null }), { maxLength: 60 }), seen => {
        const steady = seen.at(-1) ?? up
        const looks = [up, ...seen, ...Array.from({ length: 11 }, () => steady)].map((one): Look => [one])
        const notices = looksAt(looks)
        const minutes = notices.map(text => Number(text.split(':')[0]))
        const isQuiet = minutes.every(
          (at, n) => n === 0 || (at - (minutes[n - 1] ?? 0)) * minuteMs >= quietMs,
        )
        const known = seen.findLast(({ isDark }) => isDark !== null) ?? up
        const last = notices.at(-1) ?? 'znów odpowiada'
        return isQuiet && last.includes(known.isDark === true ? 'nie odpowiada' : 'znów odpowiada')
      }),
      { numRuns: runsOf(200) },
    )
  })

  it('is dark after as many misses as a takeover needs, on a host that did not pause', () => {
    const record = {
      ...{ town: 'Deyja', card: null, observedMs: 0, elapsedMs: 0, skewMs: null, skewErrorMs: null },
      ...({ probeKind: 'fleet-status', failure: null, isReachable: false, isLate: false } as const),
      ...{ isSettling: false, isFlapping: false, lifeSigns: { seen: [], last: null } },
    }
    const isDark = (changes: object) => seenTownOf({ ...record, consecutiveMisses: 3, ...changes }, 3).isDark
    deepEqual(
      [
        isDark({}),
        isDark({ consecutiveMisses: 2 }),
        isDark({ isSettling: true }),
        isDark({ isReachable: true }),
      ],
      [true, null, null, false],
    )
  })
})

describe('the end of a takeover', () => {
  it('names the towns, or the reason', () => {
    const ended = { town: 'Deyja', apex: 'Erathia', term: 4, failure: null }
    deepEqual(
      [describeTakeoverEnd(ended), describeTakeoverEnd({ ...ended, failure: 'vetoed' })],
      [
        'Host Deyja został głównym hostem. Poprzednio był nim host Erathia.',
        'Host Deyja nie został głównym hostem. Powód: `vetoed`.',
      ],
    )
  })
})
