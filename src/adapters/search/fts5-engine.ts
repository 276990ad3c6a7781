import { admitsFacet, isOpenFilter } from '#src/domain/search/admit.js'
import { saturate } from '#src/domain/search/bm25.js'
import type { DocumentHead } from '#src/domain/search/document.js'
import { byScore } from '#src/domain/search/join-rankings.js'
import type { RankedHit, RankFilter } from '#src/domain/search/ranking.js'
import type { Sqlite } from '../runtime/sqlite.js'
import { type Candidates, collectCandidates, type KnownWord } from './fts5-candidates.js'
import { parseWords } from './fts5-schema.js'
import type { IndexPart, PartQuestion } from './index-part.js'
import { dayNumber, droppedFacet, type RowFacts, readFacts } from './row-facts.js'

/** The highest number of a day: no bound. */
const noEnd = 0xffffffff

/** Whether a row may be a hit, from its facts alone. */
const rowFilter = (facts: RowFacts, facets: ReadonlyArray<boolean>, { days }: RankFilter) => {
  const from = dayNumber(days?.from)
  const to = days?.to === undefined ? noEnd : dayNumber(days.to)
  return (row: number): boolean => {
    if (facets[facts.facet[row] ?? droppedFacet] !== true) return false
    if (days === null) return true
    const first = facts.from[row] ?? 0
    return first !== 0 && first <= to && (facts.to[row] ?? 0) >= from
  }
}

/** The best candidate of each source, as places among the candidates. */
const bestOfSources = (
  { rows, found, counts }: Candidates,
  facts: RowFacts,
  words: ReadonlyArray<KnownWord>,
  { idfs, averageLength }: PartQuestion,
): ReadonlyMap<number, readonly [place: number, score: number]> => {
  const best = new Map<number, readonly [number, number]>()
  for (let place = 0; place < found; place += 1) {
    const row = rows[place] ?? 0
    const length = facts.length[row] ?? 0
    let score = 0
    for (let at = 0; at < words.length; at += 1) {
      const count = counts[place * words.length + at] ?? 0
      if (count > 0) score += (idfs[words[at]?.at ?? 0] ?? 0) * saturate(count, length, averageLength)
    }
    const source = facts.source[row] ?? 0
    const rival = best.get(source)
    if (rival === undefined || score > rival[1]) best.set(source, [place, score])
  }
  return best
}

const isRow = (u: unknown): u is Readonly<Record<string, unknown>> => typeof u === 'object' && u !== null

/** Throws where the row is not one that the build wrote. */
const headOf = (found: unknown): DocumentHead => {
  if (!isRow(found)) throw new Error('the index lacks a document that it ranks')
  const [id, difference] = JSON.parse(String(found.head))
  return { ...JSON.parse(String(found.base)), ...difference, id, source: String(found.name) }
}

/** The main part over an open file. Throws where the file is not an index. */
export const fts5Part = (sqlite: Sqlite): IndexPart => {
  const [facts, totals] = readFacts(sqlite)
  const size = { documents: totals.documents, words: totals.words }
  const lost = new Map<number, number>()
  const places = new Int32Array(facts.rows + 1)
  const statements = {
    scan: sqlite.prepare(
      'SELECT rowid FROM posting WHERE posting MATCH ? AND rowid >= ? ORDER BY rowid DESC LIMIT ?',
    ),
    word: sqlite.prepare('SELECT id, documents, most FROM word WHERE word = ?'),
    source: sqlite.prepare('SELECT id FROM source WHERE name = ?'),
    rows: sqlite.prepare('SELECT row, words FROM document WHERE source = ?'),
    head: sqlite.prepare(
      'SELECT d.head, s.name, s.base FROM document d JOIN source s ON s.id = d.source WHERE d.row = ?',
    ),
  }
  const wordOf = (word: string, at: number): KnownWord | null => {
    const [found] = statements.word.all(word)
    if (!isRow(found)) return null
    const id = Number(found.id)
    return { at, id, documents: Number(found.documents) - (lost.get(id) ?? 0), most: Number(found.most) }
  }
  return {
    size: () => ({ ...size }),
    frequencyOf: word => wordOf(word, 0)?.documents ?? 0,
    drop: name => {
      const [source] = statements.source.column(name)
      if (typeof source !== 'number') return 0
      let dropped = 0
      for (const found of statements.rows.all(source)) {
        if (!isRow(found)) continue
        const row = Number(found.row)
        if (facts.facet[row] === droppedFacet) continue
        for (const [word] of parseWords(String(found.words))) lost.set(word, (lost.get(word) ?? 0) + 1)
        facts.facet[row] = droppedFacet
        size.documents -= 1
        size.words -= facts.length[row] ?? 0
        dropped += 1
      }
      return dropped
    },
    rank: question => {
      const { words, filter, limit } = question
      const known = words
        .flatMap((word, at) => wordOf(word, at) ?? [])
        .sort((one, other) => one.documents - other.documents)
      const facets = totals.facets.map(facet => admitsFacet(filter, facet))
      const admits = rowFilter(facts, facets, filter)
      const candidates = collectCandidates(statements.scan, known, places, admits, isOpenFilter(filter))
      const best = bestOfSources(candidates, facts, known, question)
      const first = [...best.values()].sort((one, other) => other[1] - one[1])
      const worst = first[Math.min(limit, first.length) - 1]?.[1] ?? 0
      const hits = first
        .filter(([, score], at) => at < limit || (score === worst && at < 2 * limit))
        .map(([place, score]): RankedHit => {
          const document = headOf(statements.head.all(candidates.rows[place] ?? 0)[0])
          const matched = known
            .flatMap(({ at }, column) => (candidates.counts[place * known.length + column] ? [at] : []))
            .sort((one, other) => one - other)
          return { id: document.id, score, matched, document }
        })
        .sort(byScore)
        .slice(0, limit)
      return { hits, total: best.size, totalIsLowerBound: !candidates.isWhole }
    },
  }
}
