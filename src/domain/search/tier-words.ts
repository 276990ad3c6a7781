import { type Tier, tiers } from '#protocol/atoms.js'
import { listTierWords } from '#protocol/config.js'

/** The tiers that `server.search_index` turns on: none, all, or a list; `lore` brings `session` (B 8). */
export const tiersOfConfig = (value: string | ReadonlyArray<string>): ReadonlyArray<Tier> => {
  const words = listTierWords(value)
  return tiers.filter(
    tier => words.includes('all') || words.includes(tier) || (tier === 'session' && words.includes('lore')),
  )
}
