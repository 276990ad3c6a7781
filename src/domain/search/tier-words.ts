import { type Tier, tiers } from '#protocol/search/tier.js'

const isTier = (word: string): word is Tier => tiers.some(tier => tier === word)

/** The words of a list that is written as texts or as one text with commas. */
export const listWords = (value: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  (typeof value === 'string' ? value.split(',') : value).map(word => word.trim()).filter(word => word !== '')

/** Words of `server.search_index` that name no tier. */
export const strayTierWords = (value: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  listWords(value).filter(word => word !== 'all' && !isTier(word))

/** The tiers that `server.search_index` turns on: none, all, or a list; `lore` brings `session` (B 8). */
export const configuredTiers = (value: string | ReadonlyArray<string>): ReadonlyArray<Tier> => {
  const words = listWords(value)
  return tiers.filter(
    tier => words.includes('all') || words.includes(tier) || (tier === 'session' && words.includes('lore')),
  )
}
