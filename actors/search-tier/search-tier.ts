import { absurd } from 'fp-ts/lib/function.js'
import type { Tier } from '#protocol/atoms.js'
import { type Actor, end, type Perform, ready, reply, type Step } from '#src/kernel/actor/actor.js'
import { SearchTierMessage } from './messages.js'
import { type Effect, freshTurn, type OpenTiers, type State, turnOf, without, withTurn } from './state.js'
import {
  beginBuild,
  failBuild,
  feed,
  loseRanker,
  promote,
  settleAsked,
  startComing,
  type TierMove,
  want,
} from './turns.js'

/**
 * The search tier owns the threads of the search indexes: for each tier one that ranks, and one at a time that
 * builds or merges. A thread that loads a new index replaces the one before only once it has the newest
 * changes, so that the last index answers meanwhile. Questions do not enter its mailbox. It recovers from the
 * saved indexes: what cannot be loaded is built from the documents.
 */

export interface SearchTierPorts {
  /** Ends the threads of the previous incarnation. */
  readonly reset: () => Promise<void>
  /** Starts a thread that loads the saved index; `Loaded`, `Absent` or `RankerEnded` follows. */
  readonly start: (tier: Tier, ranker: number) => void
  readonly stop: (tier: Tier, ranker: number) => void
  /** Sends the changes since the index of the thread; `Fed` follows. */
  readonly feed: (tier: Tier, ranker: number) => void
  readonly promote: (tier: Tier, ranker: number) => void
  /** Begins a build; `Built` or `BuildFailed` follows. */
  readonly build: (tier: Tier, build: number, isFresh: boolean) => void
  readonly close: () => Promise<void>
}

type Message = SearchTierMessage
type Turn = Step<State, Effect, Message>
type Of<Tag extends Message['_tag']> = Extract<Message, { readonly _tag: Tag }>

const onChanged = (state: OpenTiers, tier: Tier): TierMove => {
  const { answering, coming, feeding, wants } = turnOf(state, tier)
  const loaded = [answering, coming].filter(
    one => one !== null && (one === answering || feeding.includes(one)),
  )
  const isIdle = coming === null && wants === null && state.building?.tier !== tier
  if (answering === null && isIdle) return [want(state, tier, 'fresh'), []]
  return loaded.reduce<TierMove>(
    ([held, effects], ranker) => {
      if (ranker === null) return [held, effects]
      const [next, more] = feed(held, tier, ranker)
      return [next, [...effects, ...more]]
    },
    [state, []],
  )
}

const onFed = (state: OpenTiers, { tier, ranker, isBehind, isLarge }: Of<'Fed'>): TierMove => {
  const turn = turnOf(state, tier)
  if (!turn.feeding.includes(ranker)) return [state, []]
  const [promoted, effects] = promote(
    withTurn(state, tier, { feeding: without(turn.feeding, ranker) }),
    tier,
    ranker,
  )
  const { coming, outdated } = turnOf(promoted, tier)
  const isReplaced = coming !== null || promoted.building?.tier === tier
  const wanting = (isBehind || isLarge) && !isReplaced ? want(promoted, tier, 'merge') : promoted
  if (!outdated.includes(ranker)) return [wanting, effects]
  const [fed, more] = feed(wanting, tier, ranker)
  return [fed, [...effects, ...more]]
}

const onLoaded = (state: OpenTiers, { tier, ranker }: Of<'Loaded'>): TierMove =>
  turnOf(state, tier).coming === ranker ? feed(state, tier, ranker) : [state, []]

const onAbsent = (state: OpenTiers, { tier, ranker }: Of<'Absent'>): TierMove =>
  turnOf(state, tier).coming === ranker
    ? [want(withTurn(state, tier, { coming: null }), tier, 'fresh'), [{ _tag: 'Stop', tier, ranker }]]
    : [state, []]

const onBuilt = (state: OpenTiers, { tier, build }: Of<'Built'>): TierMove => {
  const { building } = state
  if (building?.build !== build) return [state, []]
  const { isFresh } = building
  return startComing(withTurn({ ...state, building: null }, tier, { buildStreak: 0, isFresh }), tier)
}

const onRebuild = (state: OpenTiers, { tiers, replyTo }: Of<'Rebuild'>): TierMove => {
  const left = tiers.filter(tier => state.tiers.has(tier))
  if (left.length === 0) return [state, [reply(replyTo, null)]]
  const wanting = left.reduce(
    (held, tier) => want(withTurn(held, tier, { isPaused: false }), tier, 'fresh'),
    state,
  )
  return [{ ...wanting, asked: [...state.asked, { left, replyTo }] }, []]
}

const onOpen = (
  state: OpenTiers,
  message: Exclude<Message, { readonly _tag: 'Drain' | 'Closed' }>,
  chance: number,
): TierMove => {
  switch (message._tag) {
    case 'Changed':
      return onChanged(state, message.tier)
    case 'Loaded':
      return onLoaded(state, message)
    case 'Absent':
      return onAbsent(state, message)
    case 'Fed':
      return onFed(state, message)
    case 'RankerEnded':
      return loseRanker(state, message.tier, message.ranker, chance)
    case 'Built':
      return onBuilt(state, message)
    case 'BuildFailed':
      return state.building?.build === message.build
        ? failBuild(state, message.tier, message, chance)
        : [state, []]
    case 'Rebuild':
      return onRebuild(state, message)
    case 'StartDue':
      return turnOf(state, message.tier).coming === null ? startComing(state, message.tier) : [state, []]
    case 'BuildDue':
      return [withTurn(state, message.tier, { isPaused: false }), []]
    default:
      return absurd(message)
  }
}

const receive = (state: State, message: Message, chance: number): Turn => {
  if (state._tag === 'Closing') return [state, message._tag === 'Closed' ? [end] : []]
  if (message._tag === 'Closed') return [state, []]
  if (message._tag !== 'Drain') return beginBuild(onOpen(state, message, chance))
  const replies = [...state.tiers.keys()].reduce<TierMove>(
    ([held, effects], tier) => {
      const [next, more] = settleAsked(held, tier, 'the host is stopping')
      return [next, [...effects, ...more]]
    },
    [state, []],
  )[1]
  return [{ _tag: 'Closing' }, [...replies, { _tag: 'Close' }]]
}

const perform =
  (ports: SearchTierPorts): Perform<Effect, Message> =>
  async (effect, signal) => {
    if (signal.aborted) return []
    switch (effect._tag) {
      case 'Reset':
        await ports.reset()
        return []
      case 'Start':
        ports.start(effect.tier, effect.ranker)
        return []
      case 'Stop':
        ports.stop(effect.tier, effect.ranker)
        return []
      case 'Feed':
        ports.feed(effect.tier, effect.ranker)
        return []
      case 'Promote':
        ports.promote(effect.tier, effect.ranker)
        return []
      case 'Build':
        ports.build(effect.tier, effect.build, effect.isFresh)
        return []
      case 'Close':
        await ports.close()
        return [{ _tag: 'Closed' }]
      default:
        return absurd(effect)
    }
  }

/** @param tiers those that the configuration turns on. */
export const searchTier = (tiers: ReadonlyArray<Tier>): Actor<State, Message, Effect, SearchTierPorts> => ({
  name: 'search-tier',
  codec: SearchTierMessage,
  mailboxMax: 1_024,
  initial: () => {
    const empty: OpenTiers = {
      _tag: 'Open',
      tiers: new Map(tiers.map(tier => [tier, freshTurn])),
      building: null,
      last: 0,
      asked: [],
    }
    const [state, effects] = tiers.reduce<TierMove>(
      ([held, all], tier) => {
        const [next, more] = startComing(held, tier)
        return [next, [...all, ...more]]
      },
      [empty, [{ _tag: 'Reset' }]],
    )
    return [state, [...effects, ready]]
  },
  receive: (state, message, { chance }) => receive(state, message, chance),
  perform,
  drain: { _tag: 'Drain' },
})
