import type { Tier } from '#protocol/atoms.js'
import { after, type KernelEffect, reply } from '#src/kernel/actor/actor.js'
import { backoffMs } from '#src/kernel/restart-policy.js'
import type { RebuildEnd, SearchTierMessage } from './messages.js'
import { type Effect, type OpenTiers, turnOf, without, withTurn } from './state.js'

type Effects = ReadonlyArray<Effect | KernelEffect<SearchTierMessage>>
/** The next state and the effects that lead to it. */
export type TierMove = readonly [OpenTiers, Effects]

/** After this many loads of a saved index that ended their thread it is built again. */
const startsMax = 3

/** Starts the thread that answers next, in place of one that is still loading. */
export const startComing = (state: OpenTiers, tier: Tier): TierMove => {
  const { coming } = turnOf(state, tier)
  const ranker = state.last + 1
  const stopped: Effects = coming === null ? [] : [{ _tag: 'Stop', tier, ranker: coming }]
  return [
    withTurn({ ...state, last: ranker }, tier, { coming: ranker }),
    [...stopped, { _tag: 'Start', tier, ranker }],
  ]
}

/** Begins the next build that is wanted, where none runs. */
export const beginBuild = ([state, effects]: TierMove): TierMove => {
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
export const want = (state: OpenTiers, tier: Tier, wants: 'merge' | 'fresh'): OpenTiers =>
  turnOf(state, tier).wants === 'fresh' ? state : withTurn(state, tier, { wants })

export const feed = (state: OpenTiers, tier: Tier, ranker: number): TierMove => {
  const { feeding, outdated } = turnOf(state, tier)
  if (feeding.includes(ranker))
    return [withTurn(state, tier, { outdated: [...without(outdated, ranker), ranker] }), []]
  return [
    withTurn(state, tier, { feeding: [...feeding, ranker], outdated: without(outdated, ranker) }),
    [{ _tag: 'Feed', tier, ranker }],
  ]
}

/** Answers who asked for a rebuild of the tier and waits for no other. */
export const settleAsked = (state: OpenTiers, tier: Tier, end: RebuildEnd): TierMove => {
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
export const promote = (state: OpenTiers, tier: Tier, ranker: number): TierMove => {
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
export const loseRanker = (state: OpenTiers, tier: Tier, ranker: number, chance: number): TierMove => {
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
export const failBuild = (
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
