import { absurd } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { SearchEngine, Tier } from '#protocol/atoms.js'
import { TroubleCause, type TroubleDuring } from '#protocol/lore/search.js'
import type { TierReading, TierState } from '#src/domain/search/search-page.js'
import {
  type Actor,
  after,
  cancel,
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

/** Why something could not be used; the reason is for the log alone, since it may name folders of the host. */
const Trouble = t.readonly(t.type({ cause: TroubleCause, reason: t.string }))
export type Trouble = t.TypeOf<typeof Trouble>

/** The content of the tier changed. */
const Changed = t.type({ _tag: t.literal('Changed'), tier: Tier })

const ofRanker = { tier: Tier, ranker: t.number }

/** A thread has loaded the saved index. */
const Loaded = t.type({
  _tag: t.literal('Loaded'),
  ...ofRanker,
  engine: SearchEngine,
  stamp: t.string,
  documents: t.number,
})
/** A thread found no saved index, or with a reason, none that can be used. */
const Absent = t.type({ _tag: t.literal('Absent'), ...ofRanker, reason: t.union([t.string, t.null]) })
/** A thread has the changes that it was sent. `isBehind`: they were too many, so it has only lost documents. */
const Fed = t.type({
  _tag: t.literal('Fed'),
  ...ofRanker,
  stamp: t.string,
  documents: t.number,
  changes: t.number,
  isBehind: t.boolean,
})
/** The changes for a thread could not be read. */
const FeedFailed = t.type({ _tag: t.literal('FeedFailed'), ...ofRanker, reason: t.string })
/** A ranking thread ended that was not stopped. */
const RankerEnded = t.type({ _tag: t.literal('RankerEnded'), ...ofRanker, trouble: Trouble })
const Built = t.type({ _tag: t.literal('Built'), tier: Tier, build: t.number })
/** `trouble` is null where the content is not known yet. */
const BuildFailed = t.type({
  _tag: t.literal('BuildFailed'),
  tier: Tier,
  build: t.number,
  trouble: t.union([Trouble, t.null]),
})
/** Asks for new indexes from nothing; answered once each has replaced the old one. */
const Rebuild = t.type({ _tag: t.literal('Rebuild'), tiers: t.array(Tier), replyTo: replyTo<RebuildEnd>() })
/** To self: it is time to start a ranking thread, to build, or to end a thread that was replaced. */
const StartDue = t.type({ _tag: t.literal('StartDue'), tier: Tier })
const BuildDue = t.type({ _tag: t.literal('BuildDue'), tier: Tier })
const RetireDue = t.type({ _tag: t.literal('RetireDue'), ranker: t.number })
const Drain = t.type({ _tag: t.literal('Drain') })
const Closed = t.type({ _tag: t.literal('Closed') })

const OfThreads = t.union([Loaded, Absent, Fed, FeedFailed, RankerEnded, Built, BuildFailed])
const ToSelf = t.union([StartDue, BuildDue, RetireDue, Drain, Closed])

export const SearchTierMessage = t.union([Changed, Rebuild, OfThreads, ToSelf], 'SearchTierMessage')
export type SearchTierMessage = t.TypeOf<typeof SearchTierMessage>

export interface SearchTierPorts {
  /** Ends the threads of the previous incarnation. */
  readonly reset: () => void
  /** Starts a thread that loads the saved index; `Loaded`, `Absent` or `RankerEnded` follows. */
  readonly start: (tier: Tier, ranker: number) => void
  /** Ends a thread; unless nothing is reported of it any more, `RankerEnded` follows. */
  readonly end: (ranker: number, isReported: boolean) => void
  /** Sends the changes since the index of the thread, unless more documents changed; `Fed` or `FeedFailed` follows. */
  readonly feed: (ranker: number, documentsMax: number) => void
  /** Gives every asker a line to this thread. */
  readonly connect: (ranker: number, state: LiveTier) => void
  /** Lets a thread end once it has answered what it was asked. */
  readonly retire: (ranker: number) => void
  /** Begins a build from nothing, or over the index of `base`; `Built` or `BuildFailed` follows. */
  readonly build: (tier: Tier, build: number, base: number | null) => void
  /** Shows the state of a tier to the askers. */
  readonly publish: (tier: Tier, state: TierState) => void
  /** Shows where a tier stands. */
  readonly show: (tier: Tier, standing: TierStanding) => void
  /** Records and reports what could not be used. */
  readonly note: (tier: Tier, during: TroubleDuring, trouble: Trouble) => void
  readonly close: () => void
}

export type LiveTier = Extract<TierState, { readonly _tag: 'Live' }>

export interface TierStanding extends Omit<TierReading, 'tier' | 'trouble'> {
  /** Whether the saved index was loaded since the start, or cannot be. */
  readonly isSettled: boolean
}

/**
 * The search tier owns the threads of the search indexes: for each tier one that ranks, and one at a time that
 * builds or merges. It decides which thread answers, when an index is built, and what follows a failure. A thread
 * that loads a new index replaces the one before only once it has the newest changes, so that the last index answers
 * meanwhile. Questions do not enter its mailbox: askers have lines to the thread that answers. It recovers from the
 * saved indexes: what cannot be loaded is built from the documents.
 *
 * @param tiers those that the configuration turns on.
 */
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
    const reset: Move = [empty, [{ _tag: 'Reset' }]]
    const [state, effects] = tiers.reduce((move, tier) => then(move, held => startComing(held, tier)), reset)
    return [state, [...effects, ...showChanges(null, state), ready]]
  },
  receive: (state, message, { chance }) => receive(state, message, chance),
  perform,
  drain: { _tag: 'Drain' },
})

type Message = SearchTierMessage
type Turn = Step<State, Effect, Message>
type Of<Tag extends Message['_tag']> = Extract<Message, { readonly _tag: Tag }>

const onChanged = (state: OpenTiers, tier: Tier): Move => {
  const { answering, coming, wants } = turnOf(state, tier)
  const isIdle = coming === null && wants === null && state.building?.tier !== tier
  if (answering === null && isIdle) return [want(state, tier, 'fresh'), []]
  const isFed = (one: Ranker | null): one is Ranker =>
    one !== null && (one === answering || one.feed !== null)
  return [answering, coming]
    .filter(isFed)
    .reduce<Move>((move, one) => then(move, held => feed(held, tier, one)), [state, []])
}

const onFed = (state: OpenTiers, { tier, ranker, isBehind, ...fed }: Of<'Fed'>): Move => {
  const one = rankerOf(turnOf(state, tier), ranker)
  if (one === null || one.index === null || one.feed === null) return [state, []]
  const { stamp, documents, changes } = fed
  const now = { ...one, index: { ...one.index, stamp, documents, changes }, feed: null }
  const taken = withRanker(state, tier, now)
  const isLarge = changes > mergeAt(documents)
  const answers: Move =
    turnOf(taken, tier).answering === now
      ? [taken, [{ _tag: 'Publish', tier, state: liveOf(now.index) }]]
      : promote(taken, tier, now.index)
  const [merging, effects] = then(answers, held => {
    const isReplaced = turnOf(held, tier).coming !== null || held.building?.tier === tier
    return [(isBehind || isLarge) && !isReplaced ? want(held, tier, 'merge') : held, []]
  })
  return one.feed === 'sent' ? [merging, effects] : then([merging, effects], held => feed(held, tier, now))
}

const onLoaded = (state: OpenTiers, { tier, ranker, engine, stamp, documents }: Of<'Loaded'>): Move => {
  const { coming } = turnOf(state, tier)
  if (coming?.number !== ranker) return [state, []]
  return feed(state, tier, { ...coming, index: { engine, stamp, documents, changes: 0 } })
}

const onAbsent = (state: OpenTiers, { tier, ranker, reason }: Of<'Absent'>): Move => {
  const { answering, coming } = turnOf(state, tier)
  if (coming?.number !== ranker) return [state, []]
  return [
    want(withTurn(state, tier, { coming: null, isSettled: true }), tier, 'fresh'),
    [
      ...(reason === null ? [] : [note(tier, 'loading', { cause: 'damaged', reason })]),
      ...(answering === null ? [{ _tag: 'Publish', tier, state: { _tag: 'Starting' } } as const] : []),
      { _tag: 'Stop', ranker },
    ],
  ]
}

/** The thread ends, and its end says what follows. */
const onFeedFailed = (state: OpenTiers, { tier, ranker, reason }: Of<'FeedFailed'>): Move => {
  const turn = turnOf(state, tier)
  if (rankerOf(turn, ranker) === null) return [state, []]
  const during = turn.answering?.number === ranker ? 'ranking' : 'loading'
  return [state, [note(tier, during, { cause: 'failed', reason }), { _tag: 'End', ranker }]]
}

const onBuilt = (state: OpenTiers, { tier, build }: Of<'Built'>): Move => {
  const { building } = state
  if (building?.build !== build) return [state, []]
  const { isFresh } = building
  return startComing(withTurn({ ...state, building: null }, tier, { buildStreak: 0, isFresh }), tier)
}

const onRebuild = (state: OpenTiers, { tiers, replyTo }: Of<'Rebuild'>): Move => {
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
): Move => {
  switch (message._tag) {
    case 'Changed':
      return onChanged(state, message.tier)
    case 'Loaded':
      return onLoaded(state, message)
    case 'Absent':
      return onAbsent(state, message)
    case 'Fed':
      return onFed(state, message)
    case 'FeedFailed':
      return onFeedFailed(state, message)
    case 'RankerEnded':
      return loseRanker(state, message, chance)
    case 'Built':
      return onBuilt(state, message)
    case 'BuildFailed':
      return state.building?.build === message.build ? failBuild(state, message, chance) : [state, []]
    case 'Rebuild':
      return onRebuild(state, message)
    case 'StartDue':
      return turnOf(state, message.tier).coming === null ? startComing(state, message.tier) : [state, []]
    case 'BuildDue':
      return [withTurn(state, message.tier, { isPaused: false }), []]
    case 'RetireDue':
      return [state, [{ _tag: 'End', ranker: message.ranker }]]
    default:
      return absurd(message)
  }
}

const receive = (state: State, message: Message, chance: number): Turn => {
  if (state._tag === 'Closing') return [state, message._tag === 'Closed' ? [end] : []]
  if (message._tag === 'Closed') return [state, []]
  if (message._tag !== 'Drain') {
    const [next, effects] = beginBuild(onOpen(state, message, chance))
    return [next, [...effects, ...showChanges(state, next)]]
  }
  const stopping: Move = [state, []]
  const [, replies] = [...state.tiers.keys()].reduce(
    (move, tier) => then(move, held => settleAsked(held, tier, 'the host is stopping')),
    stopping,
  )
  return [{ _tag: 'Closing' }, [...replies, { _tag: 'Close' }]]
}

const perform =
  (ports: SearchTierPorts): Perform<Effect, Message> =>
  (effect, signal) => {
    if (!signal.aborted) carryOut(ports, effect)
    return Promise.resolve(effect._tag === 'Close' && !signal.aborted ? [{ _tag: 'Closed' }] : [])
  }

const carryOut = (ports: SearchTierPorts, effect: Effect): void => {
  switch (effect._tag) {
    case 'Reset':
      return ports.reset()
    case 'Start':
      return ports.start(effect.tier, effect.ranker)
    case 'Stop':
    case 'End':
      return ports.end(effect.ranker, effect._tag === 'End')
    case 'Feed':
      return ports.feed(effect.ranker, effect.documentsMax)
    case 'Promote':
      return ports.connect(effect.ranker, effect.state)
    case 'Retire':
      return ports.retire(effect.ranker)
    case 'Build':
      return ports.build(effect.tier, effect.build, effect.base)
    case 'Publish':
      return ports.publish(effect.tier, effect.state)
    case 'Show':
      return ports.show(effect.tier, effect.standing)
    case 'Note':
      return ports.note(effect.tier, effect.during, effect.trouble)
    case 'Close':
      return ports.close()
    default:
      return absurd(effect)
  }
}

/** What a thread holds. */
type RankerIndex = Pick<LiveTier, 'engine' | 'stamp' | 'documents'> & Pick<TierReading, 'changes'>

/** A thread that ranks, named by a number that is not used again. */
interface Ranker {
  readonly number: number
  /** Null until it has loaded. */
  readonly index: RankerIndex | null
  /** Whether changes are on their way to it, and whether newer ones wait behind them. */
  readonly feed: null | 'sent' | 'outdated'
}

/** What the actor knows of one tier. */
interface TierTurn {
  /** The thread that answers; null while there is none. */
  readonly answering: Ranker | null
  /** The thread that loads the newest saved index, or gets its first changes, to answer next. */
  readonly coming: Ranker | null
  /** Whether the newest saved index was built from nothing and does not answer yet. */
  readonly isFresh: boolean
  readonly isSettled: boolean
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
  | { readonly _tag: 'Reset' | 'Close' }
  | { readonly _tag: 'Start'; readonly tier: Tier; readonly ranker: number }
  | { readonly _tag: 'Stop' | 'End' | 'Retire'; readonly ranker: number }
  | { readonly _tag: 'Feed'; readonly tier: Tier; readonly ranker: number; readonly documentsMax: number }
  /** From now on this thread answers. */
  | { readonly _tag: 'Promote'; readonly tier: Tier; readonly ranker: number; readonly state: LiveTier }
  | { readonly _tag: 'Build'; readonly tier: Tier; readonly build: number; readonly base: number | null }
  | { readonly _tag: 'Publish'; readonly tier: Tier; readonly state: TierState }
  | { readonly _tag: 'Show'; readonly tier: Tier; readonly standing: TierStanding }
  | {
      readonly _tag: 'Note'
      readonly tier: Tier
      readonly during: TroubleDuring
      readonly trouble: Trouble
    }

const freshTurn: TierTurn = {
  answering: null,
  coming: null,
  isFresh: false,
  isSettled: false,
  wants: null,
  isPaused: false,
  startStreak: 0,
  buildStreak: 0,
}

type Effects = ReadonlyArray<Effect | KernelEffect<SearchTierMessage>>
/** The next state and the effects that lead to it. */
type Move = readonly [OpenTiers, Effects]

const then = ([state, effects]: Move, step: (state: OpenTiers) => Move): Move => {
  const [next, more] = step(state)
  return [next, [...effects, ...more]]
}

const turnOf = (state: OpenTiers, tier: Tier): TierTurn => state.tiers.get(tier) ?? freshTurn

const withTurn = (state: OpenTiers, tier: Tier, change: Partial<TierTurn>): OpenTiers => ({
  ...state,
  tiers: new Map(state.tiers).set(tier, { ...turnOf(state, tier), ...change }),
})

const rankerOf = ({ answering, coming }: TierTurn, ranker: number): Ranker | null =>
  [answering, coming].find(one => one?.number === ranker) ?? null

const withRanker = (state: OpenTiers, tier: Tier, one: Ranker): OpenTiers =>
  withTurn(
    state,
    tier,
    turnOf(state, tier).coming?.number === one.number ? { coming: one } : { answering: one },
  )

const liveOf = ({ engine, stamp, documents }: RankerIndex): LiveTier => ({
  _tag: 'Live',
  engine,
  stamp,
  documents,
})

const note = (tier: Tier, during: TroubleDuring, trouble: Trouble): Effect => ({
  _tag: 'Note',
  tier,
  during,
  trouble,
})

/** Shows each tier whose turn, or build, is another one than before. */
const showChanges = (before: OpenTiers | null, { tiers, building }: OpenTiers): ReadonlyArray<Effect> =>
  [...tiers].flatMap(([tier, turn]) => {
    if (before?.tiers.get(tier) === turn && before.building === building) return []
    const { answering, isSettled } = turn
    const index = answering?.index ?? { engine: null, stamp: null, documents: 0, changes: 0 }
    const state = answering === null ? 'starting' : 'live'
    const standing = { ...index, state, isSettled, isBuilding: building?.tier === tier } as const
    return [{ _tag: 'Show', tier, standing }]
  })

/** More changed documents than this, in proportion to the tier, are merged in the background. */
const mergeAt = (documents: number): number => 256 + documents * 0.02

/** More changed documents than this wait for the merge: a thread gets none of them. */
const behindAt = (documents: number): number => 8 * mergeAt(documents)

/** After this many loads of a saved index that ended their thread it is built again. */
const startsMax = 3

/** How long a thread that was replaced may take over its last answers. */
const retireMs = 10_000

/** Starts the thread that answers next, in place of one that is still loading. */
const startComing = (state: OpenTiers, tier: Tier): Move => {
  const { coming } = turnOf(state, tier)
  const ranker = state.last + 1
  const stopped: Effects = coming === null ? [] : [{ _tag: 'Stop', ranker: coming.number }]
  return [
    withTurn({ ...state, last: ranker }, tier, { coming: { number: ranker, index: null, feed: null } }),
    [...stopped, { _tag: 'Start', tier, ranker }],
  ]
}

/** Begins the next build that is wanted, where none runs. */
const beginBuild = ([state, effects]: Move): Move => {
  if (state.building !== null) return [state, effects]
  for (const [tier, { answering, wants, isPaused }] of state.tiers) {
    if (wants === null || isPaused) continue
    const build = state.last + 1
    const isFresh = wants === 'fresh'
    const next = withTurn({ ...state, building: { tier, build, isFresh }, last: build }, tier, {
      wants: null,
    })
    const base = isFresh ? null : (answering?.number ?? null)
    return [next, [...effects, { _tag: 'Build', tier, build, base }]]
  }
  return [state, effects]
}

/** Wants a build; one from nothing is not replaced by a merge. */
const want = (state: OpenTiers, tier: Tier, wants: 'merge' | 'fresh'): OpenTiers =>
  turnOf(state, tier).wants === 'fresh' ? state : withTurn(state, tier, { wants })

const feed = (state: OpenTiers, tier: Tier, one: Ranker): Move => {
  if (one.feed !== null) return [withRanker(state, tier, { ...one, feed: 'outdated' }), []]
  const documentsMax = behindAt(one.index?.documents ?? 0)
  return [
    withRanker(state, tier, { ...one, feed: 'sent' }),
    [{ _tag: 'Feed', tier, ranker: one.number, documentsMax }],
  ]
}

/** Answers who asked for a rebuild of the tier and waits for no other. */
const settleAsked = (state: OpenTiers, tier: Tier, end: RebuildEnd): Move => {
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

/** The thread that was coming has its first changes: it answers from now on, and the one before is retired. */
const promote = (state: OpenTiers, tier: Tier, index: RankerIndex): Move => {
  const { answering, coming, isFresh } = turnOf(state, tier)
  if (coming === null) return [state, []]
  const change = { answering: coming, coming: null, isFresh: false, isSettled: true, startStreak: 0 }
  const next = withTurn(state, tier, change)
  const [settled, replies] = isFresh ? settleAsked(next, tier, null) : [next, []]
  const connect: Effect = { _tag: 'Promote', tier, ranker: coming.number, state: liveOf(index) }
  return [settled, [connect, ...(answering === null ? [] : retire(answering.number)), ...replies]]
}

const retire = (ranker: number): Effects => [
  { _tag: 'Retire', ranker },
  after(`retire-${ranker}`, retireMs, { _tag: 'RetireDue', ranker }),
]

const startLater = (state: OpenTiers, tier: Tier, chance: number): Move => {
  const { startStreak } = turnOf(state, tier)
  const delayMs = backoffMs(startStreak, chance)
  return [
    withTurn(state, tier, { startStreak: startStreak + 1 }),
    [after(`start-${tier}`, delayMs, { _tag: 'StartDue', tier })],
  ]
}

/** A thread that ranks ended by itself: another one loads the saved index, or it is built again. */
const loseRanker = (state: OpenTiers, { tier, ranker, trouble }: Of<'RankerEnded'>, chance: number): Move => {
  const { answering, coming, startStreak } = turnOf(state, tier)
  if (answering?.number === ranker) {
    const next = withTurn(state, tier, { answering: null, isSettled: true })
    const noted: Move = [next, [note(tier, 'ranking', trouble)]]
    return coming === null ? then(noted, held => startLater(held, tier, chance)) : noted
  }
  if (coming?.number !== ranker) return [state, [cancel(`retire-${ranker}`)]]
  const next = withTurn(state, tier, { coming: null, isSettled: true })
  return then([next, [note(tier, 'loading', trouble)]], held =>
    startStreak + 1 < startsMax
      ? startLater(held, tier, chance)
      : [want(withTurn(held, tier, { startStreak: 0 }), tier, 'fresh'), []],
  )
}

/** A build ended without an index: the next one is from nothing, after a pause, or once the content is known. */
const failBuild = (state: OpenTiers, { tier, trouble }: Of<'BuildFailed'>, chance: number): Move => {
  const over: OpenTiers = { ...state, building: null }
  if (trouble === null) return [withTurn(over, tier, { wants: null }), []]
  const { buildStreak } = turnOf(state, tier)
  const change = { wants: 'fresh', isPaused: true, buildStreak: buildStreak + 1 } as const
  const [settled, replies] = settleAsked(withTurn(over, tier, change), tier, trouble.cause)
  const again = after<Message>(`build-${tier}`, backoffMs(buildStreak, chance), { _tag: 'BuildDue', tier })
  return [settled, [note(tier, 'building', trouble), ...replies, again]]
}
