import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type Tier, tiers } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { SkipReason } from '#protocol/search.js'
import type { View } from '#src/domain/callers/caller.js'
import type { TierState } from './asker.js'
import type { SearchScope } from './query.js'

export type TierStates = Readonly<Record<Tier, TierState>>

/** Whether a caller who may read entities may search a tier; an own-only capability never admits one. */
export const mayShowTier = (view: View, tier: Tier): boolean =>
  ({ lore: true, session: view.sessions, speech: view.logs, external: view.external })[tier]

/** The tiers that a caller who may read entities may search. */
export const tiersOf = (view: View): ReadonlyArray<Tier> => tiers.filter(tier => mayShowTier(view, tier))

export interface SkippedTier {
  readonly tier: Tier
  readonly reason: SkipReason
}

export interface TierChoice {
  readonly searched: ReadonlyArray<Tier>
  readonly skipped: ReadonlyArray<SkippedTier>
}

type TierRefusal = RefusalOf<'SearchScopeForbidden' | 'SearchIndexDisabled' | 'Starting'>

const configKey = 'server.search_index'

const refuseDisabled = (without: ReadonlyArray<Tier>): TierRefusal =>
  refuse(
    'SearchIndexDisabled',
    `This host has no index for ${without.join(', ')}. ` +
      `Add it to ${configKey} in .svc/config.json, commit, and start the host again.`,
    { tiers: without, key: configKey },
  )

const refuseStarting = (starting: ReadonlyArray<Tier>): TierRefusal =>
  refuse('Starting', `The index of ${starting.join(', ')} is being built. Try again in a few seconds.`)

/**
 * Which tiers of a scope are searched for a caller: those that they hold the capability of and that have an
 * index. Refuses where they hold none, where a tier that they named has no index, and where no tier is left.
 */
export const chooseTiers = (
  scope: SearchScope,
  view: View,
  states: TierStates,
): Either<TierRefusal, TierChoice> => {
  const allowed = scope.tiers.filter(tier => mayShowTier(view, tier))
  if (allowed.length === 0)
    return left(
      refuse(
        'SearchScopeForbidden',
        `The caller may search none of these tiers: ${scope.tiers.join(', ')}.`,
        { tiers: scope.tiers },
      ),
    )
  const inState = (tag: TierState['_tag']): ReadonlyArray<Tier> =>
    allowed.filter(tier => states[tier]._tag === tag)
  const [searched, disabled, starting] = [inState('Live'), inState('Disabled'), inState('Starting')]
  if (disabled.length > 0 && (scope.isNamed || disabled.length === allowed.length))
    return left(refuseDisabled(disabled))
  if (starting.length > 0 && (scope.isNamed || searched.length === 0)) return left(refuseStarting(starting))
  const reasonOf = (tier: Tier): SkipReason =>
    disabled.includes(tier) ? 'disabled' : starting.includes(tier) ? 'starting' : 'forbidden'
  return right({
    searched,
    skipped: scope.tiers
      .filter(tier => !searched.includes(tier))
      .map(tier => ({ tier, reason: reasonOf(tier) })),
  })
}

/** The stamps of the indexes as a text: equal texts mean that the same indexes answer. */
export const indexKeyOf = (states: TierStates): string =>
  tiers
    .map(tier => {
      const state = states[tier]
      return state._tag === 'Live' ? state.stamp : state._tag
    })
    .join(' ')
