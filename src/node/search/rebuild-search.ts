import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { RebuildEnd, SearchTierMessage } from '#actors/search-tier.js'
import type { Tier } from '#protocol/atoms.js'
import { refuse } from '#protocol/refusal.js'
import type { RebuildSearch } from '#src/http/handlers/search.js'
import { ask, type Ref } from '#src/kernel/actor/ref.js'
import { askTrouble } from '#src/kernel/ask-trouble.js'

/** Builds of all tiers may take this long. */
const rebuildMs = 3_600_000

/** Asks the search tier for new indexes of these tiers. */
export const rebuildThrough =
  (actor: Ref<SearchTierMessage>, tiers: ReadonlyArray<Tier>): RebuildSearch =>
  async () => {
    const end = await ask<SearchTierMessage, RebuildEnd>(
      actor,
      replyTo => ({ _tag: 'Rebuild', tiers: [...tiers], replyTo }),
      rebuildMs,
    )
    if (isLeft(end))
      return left(refuse('Overloaded', `${askTrouble('the search tier', end.left)}. Try again.`))
    return end.right === null
      ? right({ tiers: [...tiers] })
      : left(
          refuse(
            'Overloaded',
            `A new index could not be built (${end.right}); the last one answers. The log of the host says why.`,
          ),
        )
  }
