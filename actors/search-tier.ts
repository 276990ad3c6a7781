import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { Tier } from '#protocol/atoms.js'
import {
  type Actor,
  after,
  end,
  type KernelEffect,
  type Perform,
  ready,
  reply,
  type Step,
} from '#src/kernel/actor/actor.js'
import { type ReplyTo, replyTo } from '#src/kernel/actor/ref.js'
import { backoffMs } from '#src/kernel/supervision/restart-policy.js'

/** How the rebuild that was asked for ended: null, or why a tier has no new index. */
export type RebuildEnd = string | null

/** The content of the tier changed. */
const Changed = t.type({ _tag: t.literal('Changed'), tier: Tier })

const ofRanker = { tier: Tier, ranker: t.number }

/** A thread has loaded the saved index. */
const Loaded = t.type({ _tag: t.literal('Loaded'), ...ofRanker })
/** A thread found no index that can be used. */
const Absent = t.type({ _tag: t.literal('Absent'), ...ofRanker })
/**
 * A thread has the changes that it was sent. `isBehind`: they were too many, so it has only lost documents.
 * `isLarge`: its changes are worth a merge.
 */
const Fed = t.type({ _tag: t.literal('Fed'), ...ofRanker, isBehind: t.boolean, isLarge: t.boolean })
/** A ranking thread ended that was not retired. */
const RankerEnded = t.type({ _tag: t.literal('RankerEnded'), ...ofRanker })
const Built = t.type({ _tag: t.literal('Built'), tier: Tier, build: t.number })
/** `isEarly`: the content is not known yet. */
const BuildFailed = t.type({
  _tag: t.literal('BuildFailed'),
  tier: Tier,
  build: t.number,
  reason: t.string,
  isEarly: t.boolean,
})
/** Asks for new indexes from nothing; answered once each has replaced the old one. */
const Rebuild = t.type({ _tag: t.literal('Rebuild'), tiers: t.array(Tier), replyTo: replyTo<RebuildEnd>() })
/** To self: it is time to start a ranking thread, or to build. */
const StartDue = t.type({ _tag: t.literal('StartDue'), tier: Tier })
const BuildDue = t.type({ _tag: t.literal('BuildDue'), tier: Tier })
const Drain = t.type({ _tag: t.literal('Drain') })
const Closed = t.type({ _tag: t.literal('Closed') })

export const SearchTierMessage = t.union(
  [Changed, Loaded, Absent, Fed, RankerEnded, Built, BuildFailed, Rebuild, StartDue, BuildDue, Drain, Closed],
  'SearchTierMessage',
)
export type SearchTierMessage = t.TypeOf<typeof SearchTierMessage>

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

/** What the actor knows of one tier. Threads that rank are named by numbers, which are not used again. */
interface TierTurn {
  /** The thread that answers; null while there is none. */
  readonly answering: number | null
  /** The thread that loads the newest saved index, or gets its first changes, to answer next. */
  readonly coming: number | null
  /** Whether the newest saved index was built from nothing and does not answer yet. */
  readonly isFresh: boolean
  /** Threads that changes are on their way to, and those of them for which newer ones wait. */
  readonly feeding: ReadonlyArray<number>
  readonly outdated: ReadonlyArray<number>
  readonly wants: 'merge' | 'fresh' | null
  /** Whether the next build waits for its time after a failure. */
  readonly isPaused: boolean
  /** Starts, and builds, in a row that failed. */
  readonly startStreak: number
  readonly buildStreak: number
}

interface RunningBuild {
  readonly tier: Tier
  readonly build: number
  readonly isFresh: boolean
}

interface AskedRebuild {
  readonly left: ReadonlyArray<Tier>
  readonly replyTo: ReplyTo<RebuildEnd>
}

interface OpenTiers {
  readonly _tag: 'Open'
  readonly tiers: ReadonlyMap<Tier, TierTurn>
  readonly building: RunningBuild | null
  /** The last number given to a thread. */
  readonly last: number
  readonly asked: ReadonlyArray<AskedRebuild>
}

type State = OpenTiers | { readonly _tag: 'Closing' }

type Effect =
  | { readonly _tag: 'Reset' }
  | { readonly _tag: 'Close' }
  | { readonly _tag: 'Start'; readonly tier: Tier; readonly ranker: number }
  | { readonly _tag: 'Stop'; readonly tier: Tier; readonly ranker: number }
  | { readonly _tag: 'Feed'; readonly tier: Tier; readonly ranker: number }
  /** From now on this thread answers; the one before it ends with its last answer. */
  | { readonly _tag: 'Promote'; readonly tier: Tier; readonly ranker: number }
  | ({ readonly _tag: 'Build' } & RunningBuild)

const freshTurn: TierTurn = {
  answering: null,
  coming: null,
  isFresh: false,
  feeding: [],
  outdated: [],
  wants: null,
  isPaused: false,
  startStreak: 0,
  buildStreak: 0,
}

const turnOf = (state: OpenTiers, tier: Tier): TierTurn => state.tiers.get(tier) ?? freshTurn

const withTurn = (state: OpenTiers, tier: Tier, change: Partial<TierTurn>): OpenTiers => ({
  ...state,
  tiers: new Map(state.tiers).set(tier, { ...turnOf(state, tier), ...change }),
})

const without = (list: ReadonlyArray<number>, one: number): ReadonlyArray<number> =>
  list.filter(other => other !== one)

type Effects = ReadonlyArray<Effect | KernelEffect<SearchTierMessage>>
/** The next state and the effects that lead to it. */
type TierMove = readonly [OpenTiers, Effects]

/** After this many loads of a saved index that ended their thread it is built again. */
const startsMax = 3

/** Starts the thread that answers next, in place of one that is still loading. */
const startComing = (state: OpenTiers, tier: Tier): TierMove => {
  const { coming } = turnOf(state, tier)
  const ranker = state.last + 1
  const stopped: Effects = coming === null ? [] : [{ _tag: 'Stop', tier, ranker: coming }]
  return [
    withTurn({ ...state, last: ranker }, tier, { coming: ranker }),
    [...stopped, { _tag: 'Start', tier, ranker }],
  ]
}

/** Begins the next build that is wanted, where none runs. */
const beginBuild = ([state, effects]: TierMove): TierMove => {
  if (state.building !== null) return [state, effects]
  for (const [tier, { wants, isPaused }] of state.tiers) {
    if (wants === null || isPaused) continue
    const building = { tier, build: state.last + 1, isFresh: wants === 'fresh' }
    const next = withTurn({ ...state, building, last: building.build }, tier, { wants: null })
    return [next, [...effects, { _tag: 'Build', ...building }]]
  }
  return [state, effects]
}

/** Wants a build; one from nothing is not replaced by a merge. */
const want = (state: OpenTiers, tier: Tier, wants: 'merge' | 'fresh'): OpenTiers =>
  turnOf(state, tier).wants === 'fresh' ? state : withTurn(state, tier, { wants })

const feed = (state: OpenTiers, tier: Tier, ranker: number): TierMove => {
  const { feeding, outdated } = turnOf(state, tier)
  if (feeding.includes(ranker))
    return [withTurn(state, tier, { outdated: [...without(outdated, ranker), ranker] }), []]
  return [
    withTurn(state, tier, { feeding: [...feeding, ranker], outdated: without(outdated, ranker) }),
    [{ _tag: 'Feed', tier, ranker }],
  ]
}

/** Answers who asked for a rebuild of the tier and waits for no other. */
const settleAsked = (state: OpenTiers, tier: Tier, end: RebuildEnd): TierMove => {
  const asked = state.asked.map(one => ({ ...one, left: one.left.filter(other => other !== tier) }))
  const isDone = (at: number): boolean => {
    const [before, now] = [state.asked[at]?.left.length ?? 0, asked[at]?.left.length ?? 0]
    return before > now && (now === 0 || end !== null)
  }
  return [
    { ...state, asked: asked.filter((_, at) => !isDone(at)) },
    asked.flatMap(({ replyTo }, at) => (isDone(at) ? [reply(replyTo, end)] : [])),
  ]
}

/** The thread that was coming has its first changes: it answers from now on. */
const promote = (state: OpenTiers, tier: Tier, ranker: number): TierMove => {
  const { coming, isFresh } = turnOf(state, tier)
  if (coming !== ranker) return [state, []]
  const next = withTurn(state, tier, { answering: ranker, coming: null, isFresh: false, startStreak: 0 })
  const [settled, replies] = isFresh ? settleAsked(next, tier, null) : [next, []]
  return [settled, [{ _tag: 'Promote', tier, ranker }, ...replies]]
}

const startLater = (state: OpenTiers, tier: Tier, chance: number): TierMove => {
  const { startStreak } = turnOf(state, tier)
  const delayMs = backoffMs(startStreak, chance)
  return [
    withTurn(state, tier, { startStreak: startStreak + 1 }),
    [after(`start-${tier}`, delayMs, { _tag: 'StartDue', tier })],
  ]
}

/** A thread that ranks ended by itself: another one loads the saved index, or it is built again. */
const loseRanker = (state: OpenTiers, tier: Tier, ranker: number, chance: number): TierMove => {
  const { answering, coming, feeding, outdated, startStreak } = turnOf(state, tier)
  const change = { feeding: without(feeding, ranker), outdated: without(outdated, ranker) }
  if (answering === ranker) {
    const next = withTurn(state, tier, { ...change, answering: null })
    return coming === null ? startLater(next, tier, chance) : [next, []]
  }
  if (coming !== ranker) return [state, []]
  const next = withTurn(state, tier, { ...change, coming: null })
  return startStreak + 1 < startsMax
    ? startLater(next, tier, chance)
    : [want(withTurn(next, tier, { startStreak: 0 }), tier, 'fresh'), []]
}

/** A build ended without an index: the next one is from nothing, after a pause. */
const failBuild = (
  state: OpenTiers,
  tier: Tier,
  { reason, isEarly }: { readonly reason: string; readonly isEarly: boolean },
  chance: number,
): TierMove => {
  const [settled, replies] = isEarly ? [state, []] : settleAsked(state, tier, reason)
  const { buildStreak } = turnOf(settled, tier)
  if (isEarly) return [withTurn({ ...settled, building: null }, tier, { wants: null }), replies]
  return [
    withTurn({ ...settled, building: null }, tier, {
      wants: 'fresh',
      isPaused: true,
      buildStreak: buildStreak + 1,
    }),
    [...replies, after(`build-${tier}`, backoffMs(buildStreak, chance), { _tag: 'BuildDue', tier })],
  ]
}
