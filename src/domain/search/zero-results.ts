import { type Tier, tiers } from '#protocol/search/tier.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'

/** A query that found nothing in a set of tiers. Times in ISO 8601. */
export interface Miss {
  readonly query: string
  readonly tiers: ReadonlyArray<Tier>
  readonly count: number
  readonly firstAt: string
  readonly lastAt: string
  /** The commit since which the query finds something; null where it still finds nothing. */
  readonly solvedBy: string | null
}

/** The recorded misses by key, the one that was asked longest ago first. */
export type Misses = ReadonlyMap<string, Miss>

export const noMisses: Misses = new Map()

export const missesMax = 1000
const queryCharsMax = 200

/** The words of a query without credentials, and without runs of six digits or more, which may be one. */
export const keptWords = (query: string): string =>
  redactCredentials(query)
    .replace(/\p{Nd}{6,}/gu, '[redacted]')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, queryCharsMax)
    .toWellFormed()

export const missKey = (query: string, searched: ReadonlyArray<Tier>): string =>
  `${tiers.filter(tier => searched.includes(tier)).join()} ${keptWords(query).toLowerCase().normalize('NFC')}`

const setOf = (miss: Miss): string => miss.tiers.join()

/**
 * Drops the least useful miss of the set of tiers that has most: one asked once, the one asked longest ago. So
 * the callers who search one set of tiers never drop what those of another asked.
 */
const dropOne = (misses: Map<string, Miss>): void => {
  const counts = new Map<string, number>()
  for (const miss of misses.values()) counts.set(setOf(miss), (counts.get(setOf(miss)) ?? 0) + 1)
  const largest = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0]
  const own = [...misses].filter(([, miss]) => setOf(miss) === largest)
  const dropped = own.find(([, { count }]) => count === 1) ?? own[0]
  if (dropped !== undefined) misses.delete(dropped[0])
}

/** The misses with one more. A miss that is asked again is the last. */
export const addMiss = (misses: Misses, query: string, searched: ReadonlyArray<Tier>, at: string): Misses => {
  const key = missKey(query, searched)
  const before = misses.get(key)
  const next = new Map(misses)
  next.delete(key)
  next.set(key, {
    query: keptWords(query),
    tiers: tiers.filter(tier => searched.includes(tier)),
    count: (before?.count ?? 0) + 1,
    firstAt: before?.firstAt ?? at,
    lastAt: at,
    solvedBy: null,
  })
  while (next.size > missesMax) dropOne(next)
  return next
}

/** The misses, of which the one with this key now finds something. Returns the same object where nothing changes. */
export const solveMiss = (misses: Misses, key: string, commit: string): Misses => {
  const before = misses.get(key)
  if (before === undefined || before.solvedBy !== null) return misses
  return new Map([...misses].map(([one, miss]) => [one, one === key ? { ...miss, solvedBy: commit } : miss]))
}

/** The misses in tiers that are all among `shown`, the last asked first. */
export const missesFor = (misses: Misses, shown: ReadonlyArray<Tier>): ReadonlyArray<Miss> =>
  [...misses.values()].filter(miss => miss.tiers.every(tier => shown.includes(tier))).reverse()
