import type { Chance } from '#src/demo/chance.js'

/** Words of a text that queries are drawn from: three letters or more, in lower case. */
const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\p{L}{3,}/gu) ?? []

/** Distinct words by how many texts have them, the most frequent first; equal ones in the order of their letters. */
export const rankWords = (texts: Iterable<string>): ReadonlyArray<string> => {
  const frequencies = new Map<string, number>()
  for (const text of texts)
    for (const word of new Set(wordsOf(text))) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  return [...frequencies]
    .sort(([one, many], [other, few]) => few - many || (one < other ? -1 : 1))
    .map(([word]) => word)
}

/**
 * The rule by which the bench draws queries: of one, two and three words in turns, each the word of a rank that is drawn
 * evenly on a logarithmic scale, so that the ten most frequent words come as often as those from 1,000 to 10,000.
 */
export const drawQueries = (
  ranked: ReadonlyArray<string>,
  count: number,
  chance: Chance,
): ReadonlyArray<string> => {
  if (ranked.length === 0) throw new Error('no words to draw queries from')
  const draw = (): string => ranked[Math.floor(ranked.length ** chance.share()) - 1] ?? ''
  return Array.from({ length: count }, (_, at) =>
    Array.from({ length: 1 + (at % 3) }, draw)
      .filter(word => word !== '')
      .join(' '),
  )
}

/** Cuts prose into what a player says in one line: the clauses between commas and full stops, of two words or more. */
export const linesOfProse = function* (bodies: Iterable<string>): Generator<string> {
  for (const body of bodies)
    for (const clause of body.split(/[.,;:!?„”\n]+/u)) {
      const line = clause.trim()
      if (line.includes(' ')) yield line
    }
}
