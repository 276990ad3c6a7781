import { deepEqual, equal } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { decideTakeover, type TakeoverFacts } from '#src/domain/fleet/takeover-refusals.js'
import type { Takeovers } from '#src/ports/fleet.js'
import { openTrace } from '#test/simulation/node/trace.js'
import { darkFleet, townNames, townViewWith } from '#test/support/fleet/topologies.js'
import { checkDesk, type DeskSight } from './check-desk.js'
import { expectTakeover } from './expect-takeover.js'

const facts: TakeoverFacts = {
  canActuate: true,
  cooldown: null,
  fleet: darkFleet(),
  self: 'Deyja',
  afterSweeps: 3,
}
const actor = { name: 'Odo', gracz: null, kind: 'machine' } as const
const wish = { reason: 'The apex is dark.', target: null, isForced: false }
const announcement = { newPrimary: 'Deyja', mrIid: null, epochMs: null }

const sound: Takeovers = {
  missingSetting: () => null,
  request: request => {
    const decision = decideTakeover(facts, request)
    return decision._tag === 'Refused'
      ? left(decision.refusal)
      : right({ target: decision.target, known: null, earlierFailure: null })
  },
  announce: () => true,
}

/** The ids of the invariants that a desk breaks while it is used. */
const findBroken = (
  change: Partial<Takeovers>,
  use: (check: ReturnType<typeof checkDesk>) => void,
  sight: Partial<DeskSight> = {},
): ReadonlyArray<string> => {
  const trace = openTrace(() => 0)
  const whole = {
    facts: () => facts,
    isGateClosed: () => false,
    state: () => '',
    nowMs: () => 0,
    ranMs: () => 0,
    isOver: () => false,
    ...sight,
  }
  use(checkDesk(trace, 'Deyja', whole, { ...sound, ...change }))
  return trace.violations.map(text => /\((S[^)]+)\)$/u.exec(text)?.[1] ?? text)
}

const ask = ({ desk }: ReturnType<typeof checkDesk>): void => void desk.request(wish, actor, false)
const announce = ({ desk }: ReturnType<typeof checkDesk>): void =>
  void desk.announce(announcement, actor, false)

describe('the check of takeovers that are asked for', () => {
  it('is content with a sound desk', () => {
    const use = (check: ReturnType<typeof checkDesk>): void => {
      ask(check)
      announce(check)
      check.announcedConverge()
    }
    deepEqual(findBroken({}, use), [])
  })

  it('finds a refusal that the view does not give, and another town than the first candidate (S4)', () => {
    const refused = left({ _tag: 'no_candidate', rejections: [] } as const)
    deepEqual(findBroken({ request: () => refused }, ask), ['S4'])
    deepEqual(
      findBroken({ request: () => right({ target: 'Nighon', known: null, earlierFailure: null }) }, ask),
      ['S4'],
    )
  })

  it('finds a takeover that a closed gate stops (S19)', () => {
    const refused = left({ _tag: 'no_candidate', rejections: [] } as const)
    deepEqual(findBroken({ request: () => refused }, ask, { isGateClosed: () => true }), ['S4, S19'])
  })

  it('finds an announcement that is believed, answered by its truth, or converges too often (S11)', () => {
    deepEqual(findBroken({ announce: () => false }, announce), ['S11'])
    let roles = 0
    deepEqual(findBroken({}, announce, { state: () => `${(roles += 1)}` }), ['S11'])
    const often = (check: ReturnType<typeof checkDesk>): void => {
      for (let at = 0; at < 3; at += 1) {
        announce(check)
        check.announcedConverge()
      }
    }
    deepEqual(findBroken({}, often), ['S11'])
  })
})

describe('the check of cards that name another apex', () => {
  it('finds a fetch that comes too late, and more converges than one in 5 s (S11)', () => {
    let ranMs = 0
    const waitFor = (ms: number) => (check: ReturnType<typeof checkDesk>) => {
      check.cardNamesOther()
      ranMs += ms
      check.fetches()
    }
    const sight = { ranMs: () => ranMs }
    deepEqual(findBroken({}, waitFor(5_000), sight), [])
    deepEqual(findBroken({}, waitFor(60_000), sight), ['S11'])
    const often = (check: ReturnType<typeof checkDesk>): void => {
      for (let at = 0; at < 3; at += 1) {
        check.cardNamesOther()
        check.announcedConverge()
      }
    }
    deepEqual(findBroken({}, often), ['S11'])
  })
})

describe('the expected answer to a takeover', () => {
  it('is that of the rule, for each town, forced or not, over many views', () => {
    const states = [
      townViewWith(),
      townViewWith({ isReachable: false, consecutiveMisses: 3 }),
      townViewWith({ syncAgeMinutes: null }),
      townViewWith({ syncAgeMinutes: 61 }),
    ]
    for (const first of states)
      for (const second of states)
        for (const target of [null, ...townNames, 'Karigor'])
          for (const isForced of [false, true]) {
            const seen = { ...facts, fleet: darkFleet({ Avlee: first, Erathia: second }) }
            const request = { ...wish, target, isForced }
            const decision = decideTakeover(seen, request)
            const said = decision._tag === 'Refused' ? decision.refusal._tag : `accepted ${decision.target}`
            equal(expectTakeover(seen, request), said)
          }
  })
})
