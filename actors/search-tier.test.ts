import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { Tier } from '#protocol/atoms.js'
import type { Moment } from '#src/kernel/actor/actor.js'
import { replyToOf } from '#src/kernel/actor/ref.js'
import { type SearchTierMessage, searchTier, type TierStanding } from './search-tier.js'

const moment: Moment = { nowMs: 0, monotonicMs: 0, id: 'id', chance: 0.5, incarnation: 'search-tier.1' }

/** Runs the rule of the actor and returns, for each step, the tags of its effects with their tiers, but `Show`. */
const play = (tiers: ReadonlyArray<Tier>) => {
  const actor = searchTier(tiers)
  const [initial, first] = actor.initial(moment)
  let state = initial
  let shown: TierStanding | null = null
  const tell = (effects: typeof first): ReadonlyArray<string> =>
    effects.flatMap(effect => {
      if ('kernel' in effect) return [effect.kernel]
      if (effect._tag !== 'Show') return [`${effect._tag}${'tier' in effect ? ` ${effect.tier}` : ''}`]
      shown = effect.standing
      return []
    })
  return {
    first: tell(first),
    shown: () => shown,
    step: (message: SearchTierMessage): ReadonlyArray<string> => {
      const [next, effects] = actor.receive(state, message, moment)
      state = next
      return tell(effects)
    },
  }
}

const loaded = { _tag: 'Loaded', tier: 'lore', engine: 'wink', stamp: 'a', documents: 30 } as const
const fed = { _tag: 'Fed', tier: 'lore', stamp: 'b', documents: 30, changes: 1, isBehind: false } as const
const ended = { _tag: 'RankerEnded', tier: 'lore', trouble: { cause: 'ended', reason: 'exit' } } as const

describe('the search tier', () => {
  it('loads every saved index, and lets it answer once it has the changes', () => {
    const { first, step } = play(['lore', 'session'])
    deepEqual(first, ['Reset', 'Start lore', 'Start session', 'ready'])
    deepEqual(step({ ...loaded, ranker: 1 }), ['Feed lore'])
    deepEqual(step({ ...fed, ranker: 1 }), ['Promote lore'])
  })

  it('shows what answers, and that a tier is settled once it answers or cannot', () => {
    const { step, shown } = play(['lore'])
    const { isSettled, state } = shown() ?? {}
    deepEqual([isSettled, state], [false, 'starting'])
    step({ ...loaded, ranker: 1 })
    step({ ...fed, ranker: 1 })
    deepEqual(shown(), {
      ...{ state: 'live', isSettled: true, isBuilding: false },
      ...{ engine: 'wink', stamp: 'b', documents: 30, changes: 1 },
    })
    step({ ...ended, ranker: 1 })
    deepEqual([shown()?.state, shown()?.isSettled], ['starting', true])
  })

  it('notes why changes could not be read, and ends the thread', () => {
    const { step } = play(['lore'])
    step({ ...loaded, ranker: 1 })
    const failed = { _tag: 'FeedFailed', tier: 'lore', reason: 'gone' } as const
    deepEqual(step({ ...failed, ranker: 1 }), ['Note lore', 'End'])
    deepEqual(step({ ...failed, ranker: 7 }), [])
  })

  it('builds one tier at a time', () => {
    const { step } = play(['lore', 'session'])
    const absent = { _tag: 'Absent', reason: null } as const
    deepEqual(step({ ...absent, tier: 'lore', ranker: 1 }), ['Publish lore', 'Stop', 'Build lore'])
    deepEqual(step({ ...absent, tier: 'session', ranker: 2 }), ['Publish session', 'Stop'])
    deepEqual(step({ _tag: 'Built', tier: 'lore', build: 3 }), ['Start lore', 'Build session'])
  })

  it('sends a change that came while another was on its way', () => {
    const { step } = play(['lore'])
    step({ ...loaded, ranker: 1 })
    deepEqual(step({ _tag: 'Changed', tier: 'lore' }), [])
    deepEqual(step({ ...fed, ranker: 1 }), ['Promote lore', 'Feed lore'])
  })

  it('merges many changes once, and replaces the thread by that of the new index', () => {
    const { step } = play(['lore'])
    step({ ...loaded, ranker: 1 })
    deepEqual(step({ ...fed, ranker: 1, changes: 257 }), ['Promote lore', 'Build lore'])
    step({ _tag: 'Changed', tier: 'lore' })
    deepEqual(step({ ...fed, ranker: 1, changes: 257 }), ['Publish lore'])
    deepEqual(step({ _tag: 'Built', tier: 'lore', build: 2 }), ['Start lore'])
    deepEqual(step({ ...loaded, ranker: 3 }), ['Feed lore'])
    deepEqual(step({ ...fed, ranker: 3 }), ['Promote lore', 'Retire', 'after'])
    deepEqual(step({ _tag: 'RetireDue', ranker: 1 }), ['End'])
    deepEqual(step({ ...ended, ranker: 1 }), ['cancel'])
  })

  it('builds from nothing after three threads ended while loading', () => {
    const { step } = play(['lore'])
    deepEqual(step({ ...ended, ranker: 1 }), ['Note lore', 'after'])
    deepEqual(step({ _tag: 'StartDue', tier: 'lore' }), ['Start lore'])
    deepEqual(step({ ...ended, ranker: 2 }), ['Note lore', 'after'])
    deepEqual(step({ _tag: 'StartDue', tier: 'lore' }), ['Start lore'])
    deepEqual(step({ ...ended, ranker: 3 }), ['Note lore', 'Build lore'])
  })

  it('waits for lore where there is none yet, and pauses after a failure', () => {
    const { step } = play(['lore'])
    step({ _tag: 'Absent', tier: 'lore', ranker: 1, reason: null })
    const failed = { _tag: 'BuildFailed', tier: 'lore' } as const
    deepEqual(step({ ...failed, build: 2, trouble: null }), [])
    deepEqual(step({ _tag: 'Changed', tier: 'lore' }), ['Build lore'])
    const trouble = { cause: 'disk', reason: 'full' } as const
    deepEqual(step({ ...failed, build: 3, trouble }), ['Note lore', 'after'])
    deepEqual(step({ _tag: 'BuildDue', tier: 'lore' }), ['Build lore'])
  })

  it('ignores what earlier threads and builds report', () => {
    const { step } = play(['lore'])
    deepEqual(step({ ...loaded, ranker: 7 }), [])
    deepEqual(step({ _tag: 'Built', tier: 'lore', build: 7 }), [])
    deepEqual(step({ ...ended, ranker: 7 }), ['cancel'])
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
    step({ ...loaded, ranker: 1 })
    step({ ...fed, ranker: 1 })
    deepEqual(step({ _tag: 'Rebuild', tiers: ['lore'], replyTo }), ['Build lore'])
    deepEqual(step({ _tag: 'Built', tier: 'lore', build: 2 }), ['Start lore'])
    step({ ...loaded, ranker: 3 })
    deepEqual(step({ ...fed, ranker: 3 }), ['Promote lore', 'Retire', 'after', 'reply'])
  })
})
