import { admitsFacet, type Facet, isOpenFilter } from '#src/domain/search/admit.js'
import { saturate } from '#src/domain/search/bm25.js'
import type { DocumentHead } from '#src/domain/search/document.js'
import { byScore } from '#src/domain/search/join-rankings.js'
import type { RankedHit, RankFilter, Ranking } from '#src/domain/search/ranking.js'
import type { Sqlite, Statement } from '../runtime/sqlite.js'
import { collectCandidates, type KnownWord, type LineCandidates } from './fts5-candidates.js'
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
  { rows, found, counts }: LineCandidates,
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

interface Fts5State {
  readonly facts: RowFacts
  readonly facets: ReadonlyArray<Facet>
  readonly size: { documents: number; words: number }
  /** How many dropped documents have each word. */
  readonly lost: Map<number, number>
  readonly places: Int32Array
  readonly statements: Readonly<Record<'scan' | 'word' | 'source' | 'rows' | 'head', Statement>>
}

const openState = (sqlite: Sqlite): Fts5State => {
  const [facts, { documents, words, facets }] = readFacts(sqlite)
  return {
    facts,
    facets,
    size: { documents, words },
    lost: new Map(),
    places: new Int32Array(facts.rows + 1),
    statements: {
      scan: sqlite.prepare(
        'SELECT rowid FROM posting WHERE posting MATCH ? AND rowid >= ? ORDER BY rowid DESC LIMIT ?',
      ),
      word: sqlite.prepare('SELECT id, documents, most FROM word WHERE word = ?'),
      source: sqlite.prepare('SELECT id FROM source WHERE name = ?'),
      rows: sqlite.prepare('SELECT row, words FROM document WHERE source = ?'),
      head: sqlite.prepare(
        'SELECT d.head, s.name, s.base FROM document d JOIN source s ON s.id = d.source WHERE d.row = ?',
      ),
    },
  }
}

const knownWord = ({ lost, statements }: Fts5State, word: string, at: number): KnownWord | null => {
  const [found] = statements.word.all(word)
  if (!isRow(found)) return null
  const id = Number(found.id)
  return { at, id, documents: Number(found.documents) - (lost.get(id) ?? 0), most: Number(found.most) }
}

const dropRows = ({ facts, lost, size, statements }: Fts5State, name: string): number => {
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
}

/** The first candidates by score: those up to the limit, and those that tie with the last of them. */
const firstOf = (
  best: ReadonlyMap<number, readonly [place: number, score: number]>,
  limit: number,
): ReadonlyArray<readonly [place: number, score: number]> => {
  const sorted = [...best.values()].sort((one, other) => other[1] - one[1])
  const worst = sorted[Math.min(limit, sorted.length) - 1]?.[1] ?? 0
  return sorted.slice(0, 2 * limit).filter(([, score], at) => at < limit || score === worst)
}

const rankLines = (state: Fts5State, question: PartQuestion): Ranking => {
  const { words, filter, limit } = question
  const { facts, places, statements } = state
  const known = words
    .flatMap((word, at) => knownWord(state, word, at) ?? [])
    .sort((one, other) => one.documents - other.documents)
  const facets = state.facets.map(facet => admitsFacet(filter, facet))
  const candidates = collectCandidates({
    scan: statements.scan,
    words: known,
    places,
    admits: rowFilter(facts, facets, filter),
    isOpen: isOpenFilter(filter),
  })
  const best = bestOfSources(candidates, facts, known, question)
  const hits = firstOf(best, limit).map(([place, score]): RankedHit => {
    const document = headOf(statements.head.all(candidates.rows[place] ?? 0)[0])
    const matched = known
      .flatMap(({ at }, column) => ((candidates.counts[place * known.length + column] ?? 0) > 0 ? [at] : []))
      .sort((one, other) => one - other)
    return { id: document.id, score, matched, document }
  })
  return {
    hits: hits.sort(byScore).slice(0, limit),
    total: best.size,
    totalIsLowerBound: !candidates.isWhole,
  }
}

/** The main part over an open file. Throws where the file is not an index. */
export const fts5Part = (sqlite: Sqlite): IndexPart => {
  const state = openState(sqlite)
  return {
    size: () => ({ ...state.size }),
    frequencyOf: word => knownWord(state, word, 0)?.documents ?? 0,
    drop: source => dropRows(state, source),
    rank: question => rankLines(state, question),
  }
}
