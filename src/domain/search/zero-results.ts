import { createHash } from 'node:crypto'
import { type Day, type Tier, tiers } from '#protocol/atoms.js'
import { removeTopics } from '#src/domain/lore/topic-text.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'

/** A query that found nothing in a set of tiers. */
export interface Miss {
  readonly query: string
  readonly tiers: ReadonlyArray<Tier>
  readonly count: number
  readonly firstAt: Day
  readonly lastAt: Day
  /** The hash of the only person who asked; '' where no person did, null where two people did. */
  readonly asker: string | null
  /** The commit since which the query finds something; null where it still finds nothing. */
  readonly solvedBy: string | null
}

/** The recorded misses by key, the one that was asked longest ago first. */
export type Misses = ReadonlyMap<string, Miss>

export const noMisses: Misses = new Map()

export const missesMax = 1000

/**
 * The words of a query without restricted topics and credentials, and without runs of six digits or more, which may
 * be one.
 */
export const cleanWords = (query: string): string =>
  redactCredentials(removeTopics(query) ?? '')
    .replace(/\p{Nd}{6,}/gu, '[redacted]')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, queryCharsMax)
    .toWellFormed()

export const missKey = (query: string, searched: ReadonlyArray<Tier>): string =>
  `${tiers.filter(tier => searched.includes(tier)).join()} ${cleanWords(query).toLowerCase().normalize('NFC')}`

/** How a query was asked: on which day, and by which Gracz (null: by no person). */
export interface Asked {
  readonly day: Day
  readonly person: string | null
}

/**
 * The misses with one more; the same object where nothing of the query may be kept. A miss that is asked again is
 * the last.
 */
export const addMiss = (
  misses: Misses,
  query: string,
  searched: ReadonlyArray<Tier>,
  { day, person }: Asked,
): Misses => {
  const words = cleanWords(query)
  if (words === '') return misses
  const key = missKey(query, searched)
  const before = misses.get(key)
  const next = new Map(misses)
  next.delete(key)
  next.set(key, {
    query: words,
    tiers: tiers.filter(tier => searched.includes(tier)),
    count: (before?.count ?? 0) + 1,
    firstAt: before?.firstAt ?? day,
    lastAt: day,
    asker: joinAskers(before?.asker, askerOf(person, key)),
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

/** Who reads the list: the tiers they may search, whether they may read what others ask, and which Gracz they are. */
export interface MissReader {
  readonly tiers: ReadonlyArray<Tier>
  readonly seesAll: boolean
  readonly person: string | null
}

/** The misses that a caller may see, the last asked first: common ones, and those that they alone asked. */
export const missesFor = (misses: Misses, reader: MissReader): ReadonlyArray<Miss> => {
  const isShown = ([key, { asker }]: readonly [string, Miss]): boolean =>
    reader.seesAll || asker === null || (asker !== '' && asker === askerOf(reader.person, key))
  return [...misses]
    .filter(([, miss]) => miss.tiers.every(tier => reader.tiers.includes(tier)))
    .filter(isShown)
    .map(([, miss]) => miss)
    .reverse()
}

const queryCharsMax = 200

/** The person as the list keeps them: another text for each miss, so that it does not tell who asked what else. */
const askerOf = (person: string | null, key: string): string =>
  person === null ? '' : createHash('sha256').update(`${person}\n${key}`).digest('base64url')

/** Two people make a query common; callers who are no person, such as bots, do not. */
const joinAskers = (before: string | null | undefined, asker: string): string | null => {
  if (before === undefined || before === '' || before === asker) return asker
  return asker === '' ? before : null
}

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
