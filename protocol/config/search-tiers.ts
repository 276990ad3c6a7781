import * as t from 'io-ts'
import { tiers } from '../search/tier.js'

type SearchTiers = string | ReadonlyArray<string>

/** The words of a list that is written as texts or as one text with commas. */
export const listTierWords = (value: SearchTiers): ReadonlyArray<string> =>
  (typeof value === 'string' ? value.split(',') : value).map(word => word.trim()).filter(word => word !== '')

const isTierWord = (word: string): boolean => word === 'all' || tiers.some(tier => tier === word)

const isSearchTiers = (u: unknown): u is SearchTiers =>
  (typeof u === 'string' || (Array.isArray(u) && u.every(one => typeof one === 'string'))) &&
  listTierWords(u).every(isTierWord)

/** The value of `server.search_index`: tiers or `all`, as a list of texts or as one text with commas. */
export const SearchTiers = new t.Type<SearchTiers, SearchTiers, unknown>(
  `a list of ${tiers.join(', ')} or all`,
  isSearchTiers,
  (u, context) => (isSearchTiers(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)
