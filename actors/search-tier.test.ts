import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Tier } from '#protocol/atoms.js'
import type { Moment } from '#src/kernel/actor/actor.js'
import { replyToOf } from '#src/kernel/actor/ref.js'
import { type SearchTierMessage, searchTier } from './search-tier.js'

const moment: Moment = { nowMs: 0, monotonicMs: 0, id: 'id', chance: 0.5, incarnation: 'search-tier.1' }

/** Runs the rule of the actor and returns, for each step, the tags of its effects with their tiers. */
const play = (tiers: ReadonlyArray<Tier>) => {
  const actor = searchTier(tiers)
  const [initial, first] = actor.initial(moment)
  let state = initial
  const tell = (effects: typeof first): ReadonlyArray<string> =>
    effects.map(effect =>
      'kernel' in effect ? effect.kernel : `${effect._tag}${'tier' in effect ? ` ${effect.tier}` : ''}`,
    )
  return {
    first: tell(first),
    step: (message: SearchTierMessage): ReadonlyArray<string> => {
      const [next, effects] = actor.receive(state, message, moment)
      state = next
      return tell(effects)
    },
  }
}

const fed = { isBehind: false, isLarge: false } as const

describe('the search tier', () => {
  it('loads every saved index, and lets it answer once it has the changes', () => {
    const { first, step } = play(['lore', 'session'])
    deepEqual(first, ['Reset', 'Start lore', 'Start session', 'ready'])
    deepEqual(step({ _tag: 'Loaded', tier: 'lore', ranker: 1 }), ['Feed lore'])
    deepEqual(step({ _tag: 'Fed', tier: 'lore', ranker: 1, ...fed }), ['Promote lore'])
  })

  it('builds one tier at a time', () => {
    const { step } = play(['lore', 'session'])
    deepEqual(step({ _tag: 'Absent', tier: 'lore', ranker: 1 }), ['Stop lore', 'Build lore'])
    deepEqual(step({ _tag: 'Absent', tier: 'session', ranker: 2 }), ['Stop session'])
    deepEqual(step({ _tag: 'Built', tier: 'lore', build: 3 }), ['Start lore', 'Build session'])
  })

  it('sends a change that came while another was on its way', () => {
    const { step } = play(['lore'])
    step({ _tag: 'Loaded', tier: 'lore', ranker: 1 })
    deepEqual(step({ _tag: 'Changed', tier: 'lore' }), [])
    deepEqual(step({ _tag: 'Fed', tier: 'lore', ranker: 1, ...fed }), ['Promote lore', 'Feed lore'])
  })

  it('merges many changes once, and replaces the thread by that of the new index', () => {
    const { step } = play(['lore'])
    step({ _tag: 'Loaded', tier: 'lore', ranker: 1 })
    deepEqual(step({ _tag: 'Fed', tier: 'lore', ranker: 1, isBehind: false, isLarge: true }), [
      'Promote lore',
      'Build lore',
    ])
    step({ _tag: 'Changed', tier: 'lore' })
    deepEqual(step({ _tag: 'Fed', tier: 'lore', ranker: 1, isBehind: false, isLarge: true }), [])
    deepEqual(step({ _tag: 'Built', tier: 'lore', build: 2 }), ['Start lore'])
    deepEqual(step({ _tag: 'Loaded', tier: 'lore', ranker: 3 }), ['Feed lore'])
    deepEqual(step({ _tag: 'Fed', tier: 'lore', ranker: 3, ...fed }), ['Promote lore'])
  })

  it('builds from nothing after three threads ended while loading', () => {
    const { step } = play(['lore'])
    deepEqual(step({ _tag: 'RankerEnded', tier: 'lore', ranker: 1 }), ['after'])
    deepEqual(step({ _tag: 'StartDue', tier: 'lore' }), ['Start lore'])
    deepEqual(step({ _tag: 'RankerEnded', tier: 'lore', ranker: 2 }), ['after'])
    deepEqual(step({ _tag: 'StartDue', tier: 'lore' }), ['Start lore'])
    deepEqual(step({ _tag: 'RankerEnded', tier: 'lore', ranker: 3 }), ['Build lore'])
  })

  it('waits for lore where there is none yet, and pauses after a failure', () => {
    const { step } = play(['lore'])
    step({ _tag: 'Absent', tier: 'lore', ranker: 1 })
    const failed = { _tag: 'BuildFailed', tier: 'lore', reason: 'disk' } as const
    deepEqual(step({ ...failed, build: 2, isEarly: true }), [])
    deepEqual(step({ _tag: 'Changed', tier: 'lore' }), ['Build lore'])
    deepEqual(step({ ...failed, build: 3, isEarly: false }), ['after'])
    deepEqual(step({ _tag: 'BuildDue', tier: 'lore' }), ['Build lore'])
  })

  it('ignores what earlier threads and builds report', () => {
    const { step } = play(['lore'])
    deepEqual(step({ _tag: 'Loaded', tier: 'lore', ranker: 7 }), [])
    deepEqual(step({ _tag: 'Built', tier: 'lore', build: 7 }), [])
    deepEqual(step({ _tag: 'RankerEnded', tier: 'lore', ranker: 7 }), [])
  })

  it('answers a rebuild of no tier at once, and that of a tier when its new index answers', () => {
    const answers: Array<unknown> = []
    const replyTo = replyToOf<string | null>('a test', value => {
      answers.push(value)
      return true
    })
    equal(
      play([])
        .step({ _tag: 'Rebuild', tiers: ['lore'], replyTo })
        .join(),
      'reply',
    )
    const { step } = play(['lore'])
    step({ _tag: 'Loaded', tier: 'lore', ranker: 1 })
    step({ _tag: 'Fed', tier: 'lore', ranker: 1, ...fed })
    deepEqual(step({ _tag: 'Rebuild', tiers: ['lore'], replyTo }), ['Build lore'])
    deepEqual(step({ _tag: 'Built', tier: 'lore', build: 2 }), ['Start lore'])
    step({ _tag: 'Loaded', tier: 'lore', ranker: 3 })
    deepEqual(step({ _tag: 'Fed', tier: 'lore', ranker: 3, ...fed }), ['Promote lore', 'reply'])
  })
})
