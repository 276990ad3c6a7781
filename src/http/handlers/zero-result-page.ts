import { nameKey } from '#protocol/atoms.js'
import type { ZeroResult, ZeroResultPage } from '#protocol/search.js'
import { nearestNamesInSlices } from '#src/domain/names/nearest.js'
import { hasTopicName } from '#src/domain/search/query.js'
import { isStopWord, wordsOf } from '#src/domain/search/words.js'
import type { Miss } from '#src/domain/search/zero-results.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

const limitDefault = 20
const limitMax = 100
const nearestMax = 3

const nearestTexts = function* ({ names, entities }: Snapshot, text: string): Sliced<ReadonlyArray<string>> {
  const near = yield* nearestNamesInSlices(names, text, null, nearestMax)
  return near.filter(name => entities.byHeading.get(nameKey(name))?.some(hasTopicName) !== true)
}
const lookedUpWordsMax = 4

/** The names that are spelt nearly as the query, else as one of its words. */
const nearestTo = function* (snapshot: Snapshot, query: string): Sliced<ReadonlyArray<string>> {
  const whole = yield* nearestTexts(snapshot, query)
  if (whole.length > 0) return whole
  const near = new Set<string>()
  const words = [...wordsOf(query)].filter(({ text }) => text.length > 3 && !isStopWord(text))
  for (const { text } of words.slice(0, lookedUpWordsMax))
    for (const name of yield* nearestTexts(snapshot, text)) near.add(name)
  return [...near].slice(0, nearestMax)
}

/** A page of the queries that found nothing, with the names that may be meant. */
export const zeroResultPage = function* (
  snapshot: Snapshot,
  misses: ReadonlyArray<Miss>,
  query: { readonly limit?: number | null | undefined; readonly offset?: number | undefined },
): Sliced<ZeroResultPage> {
  const [limit, offset] = [Math.min(query.limit ?? limitDefault, limitMax), query.offset ?? 0]
  const items: Array<ZeroResult> = []
  for (const { asker: _, ...miss } of misses.slice(offset, offset + limit)) {
    items.push({ ...miss, nearest: yield* nearestTo(snapshot, miss.query) })
    yield
  }
  return { count: items.length, total: misses.length, limit, offset, items }
}
