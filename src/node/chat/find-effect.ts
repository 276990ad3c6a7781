import {
  type EffectIndex,
  findIndexed,
  indexEffects,
  indexedIdsMax,
} from '#src/domain/dispatch/settle-attempt.js'
import type { EffectFinding, FindEffect } from '#src/ports/chat.js'
import type { EffectLog } from '#src/ports/landing.js'

export interface FindEffectPorts {
  /** Fetches the branch within `budgetMs`. Returns null, or why it may not be up to date. */
  readonly fetch: (budgetMs: number) => Promise<string | null>
  readonly log: EffectLog
}

/**
 * Makes the look-up of effects. It keeps one index, of the last tip: a look at a descendant of that tip reads
 * only the commits between the two, any other tip has its whole history read. A look for an id that the index
 * of `idsMax` ids left out reads the whole history.
 */
export const makeFindEffect = ({ fetch, log }: FindEffectPorts, idsMax = indexedIdsMax): FindEffect => {
  let last: EffectIndex | null = null

  const indexAt = async (tip: EffectIndex['tip'], signal: AbortSignal): Promise<EffectIndex> => {
    const base = last
    if (base?.tip === tip) return base
    const added = base === null ? null : await log.keyedCommits(tip, base.tip, signal)
    const index =
      added === null
        ? indexEffects(tip, null, (await log.keyedCommits(tip, null, signal)) ?? [], idsMax)
        : indexEffects(tip, base, added, idsMax)
    last = index
    return index
  }

  const findAt = async (tip: EffectIndex['tip'], id: string, signal: AbortSignal): Promise<EffectFinding> => {
    const indexed = findIndexed(await indexAt(tip, signal), id)
    const commit =
      indexed === 'LeftOut'
        ? ((await log.keyedCommits(tip, null, signal))?.find(({ keys }) => keys.includes(id))?.commit ?? null)
        : indexed
    return commit === null ? { _tag: 'Absent' } : { _tag: 'Found', commit }
  }

  return async (id, budgetMs, signal) => {
    try {
      const reason = await fetch(budgetMs)
      if (reason !== null) return { _tag: 'Unreadable', reason }
      const tip = await log.tip()
      if (tip._tag === 'NotFetched')
        return { _tag: 'Unreadable', reason: 'the branch of the remote was never fetched' }
      return tip.commit === null ? { _tag: 'Absent' } : await findAt(tip.commit, id, signal)
    } catch (error) {
      return { _tag: 'Unreadable', reason: error instanceof Error ? error.message : String(error) }
    }
  }
}
