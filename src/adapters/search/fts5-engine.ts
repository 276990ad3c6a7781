import type { DocumentHead } from '#src/domain/search/document.js'
import {
  type AskedWords,
  admitsFacet,
  byBestHit,
  coverageOf,
  type Facet,
  type RankedHit,
  type RankFilter,
  type Ranking,
  saturate,
} from '#src/domain/search/ranking.js'
import type { Sqlite, Statement } from '../runtime/sqlite.js'
import type { IndexPart, PartQuestion } from './build-index.js'
import { parseWords } from './fts5-build.js'
import {
  collectCandidates,
  type KnownWord,
  type LineCandidates,
  openPostingRows,
  type PostingRows,
  pieceLength,
  rowsStatement,
} from './fts5-candidates.js'
import { dayNumber, droppedFacet, type RowFacts, readFacts } from './row-facts.js'

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

/** The score of every candidate, and which words of the question it has and its source has. */
interface ScoredLines {
  readonly scores: Float64Array
  readonly inLine: Int32Array
  readonly inSource: Int32Array
}

/** The best candidate of each source, as a place among the candidates; the `Coverage` and score of every candidate. */
interface BestLines {
  readonly places: Int32Array
  readonly scores: Float64Array
  readonly coverages: Uint8Array
}

/** Room for the work of one question, zeros for each source, and zeros again at the end. */
interface Scratch {
  readonly bestOf: Int32Array
  readonly sourceHas: Int32Array
}

const scoresOf = (
  { rows, found, counts }: LineCandidates,
  { length, source }: RowFacts,
  words: ReadonlyArray<KnownWord>,
  { idfs, averageLength, asked }: PartQuestion,
  { sourceHas }: Scratch,
): ScoredLines => {
  const scores = new Float64Array(found)
  const [inLine, inSource] = [new Int32Array(found), new Int32Array(found)]
  for (const [at, known] of words.entries()) {
    const [idf, word] = [idfs[known.at] ?? 0, asked.ofTerm[known.at] ?? 0]
    for (let place = 0; place < found; place += 1) {
      const count = counts[place * words.length + at] ?? 0
      if (count === 0) continue
      scores[place] =
        (scores[place] ?? 0) + idf * saturate(count, length[rows[place] ?? 0] ?? 0, averageLength)
      inLine[place] = (inLine[place] ?? 0) | word
    }
  }
  for (let place = 0; place < found; place += 1) {
    const from = source[rows[place] ?? 0] ?? 0
    sourceHas[from] = (sourceHas[from] ?? 0) | (inLine[place] ?? 0)
  }
  for (let place = 0; place < found; place += 1)
    inSource[place] = sourceHas[source[rows[place] ?? 0] ?? 0] ?? 0
  for (let place = 0; place < found; place += 1) sourceHas[source[rows[place] ?? 0] ?? 0] = 0
  return { scores, inLine, inSource }
}

const bestOfSources = (
  { rows, found }: LineCandidates,
  { source }: RowFacts,
  { scores, inLine, inSource }: ScoredLines,
  asked: AskedWords,
  { bestOf }: Scratch,
): BestLines => {
  const coverages = new Uint8Array(found)
  for (let place = 0; place < found; place += 1)
    coverages[place] = coverageOf(asked, inLine[place] ?? 0, inSource[place] ?? 0)
  const isBetter = (place: number, rival: number): boolean =>
    coverages[place] === coverages[rival]
      ? (scores[place] ?? 0) > (scores[rival] ?? 0)
      : (coverages[place] ?? 0) > (coverages[rival] ?? 0)
  const sources = new Int32Array(found)
  let length = 0
  for (let place = 0; place < found; place += 1) {
    const from = source[rows[place] ?? 0] ?? 0
    const rival = bestOf[from] ?? 0
    if (rival === 0) {
      sources[length] = from
      length += 1
    }
    if (rival === 0 || isBetter(place, rival - 1)) bestOf[from] = place + 1
  }
  const places = new Int32Array(length)
  for (let at = 0; at < length; at += 1) {
    const from = sources[at] ?? 0
    places[at] = (bestOf[from] ?? 1) - 1
    bestOf[from] = 0
  }
  return { places, scores, coverages }
}

const isRow = (u: unknown): u is Readonly<Record<string, unknown>> => typeof u === 'object' && u !== null

const isList = (u: unknown): u is ReadonlyArray<unknown> => Array.isArray(u)

/** The checksum of the file was compared, so what the build wrote is there. */
const isBaseHead = (u: unknown): u is Omit<DocumentHead, 'id' | 'source'> => isRow(u) && 'path' in u

/** Throws where the row is not one that the build wrote. */
const headOf = (found: unknown): DocumentHead => {
  if (!isRow(found)) throw new Error('the index lacks a document that it ranks')
  const kept: unknown = JSON.parse(String(found.head))
  const base: unknown = JSON.parse(String(found.base))
  if (!isList(kept) || !isBaseHead(base)) throw new Error('the index has a document without a head')
  const [id, difference] = kept
  return { ...base, ...(isRow(difference) ? difference : {}), id: String(id), source: String(found.name) }
}

interface Fts5State extends Scratch {
  readonly facts: RowFacts
  readonly facets: ReadonlyArray<Facet>
  readonly size: { documents: number; words: number }
  /** How many dropped documents have each word. */
  readonly lost: Map<number, number>
  readonly places: Int32Array
  readonly postings: PostingRows
  readonly statements: Readonly<Record<'word' | 'source' | 'rows' | 'head', Statement>>
}

const openState = (sqlite: Sqlite): Fts5State => {
  const [facts, { documents, words, facets }] = readFacts(sqlite)
  const sources = facts.source.reduce((most, one) => Math.max(most, one), 0) + 1
  return {
    facts,
    facets,
    size: { documents, words },
    lost: new Map(),
    places: new Int32Array(facts.rows + 1),
    bestOf: new Int32Array(sources),
    sourceHas: new Int32Array(sources),
    postings: openPostingRows(sqlite.prepare(rowsStatement), pieceLength),
    statements: {
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

/** More than any score. */
const coverageStep = 1e6

/** The first places: those up to the limit, and some that tie with the last of them. */
const firstOf = ({ places, scores, coverages }: BestLines, limit: number): ReadonlyArray<number> => {
  const rankOf = (place: number): number => (coverages[place] ?? 0) * coverageStep + (scores[place] ?? 0)
  const sorted = new Float64Array(places.length)
  for (let at = 0; at < places.length; at += 1) sorted[at] = rankOf(places[at] ?? 0)
  sorted.sort()
  const least = sorted[Math.max(0, sorted.length - limit)] ?? 0
  const first = limit === 0 ? [] : [...places.filter(place => rankOf(place) >= least)]
  return first.sort((one, other) => rankOf(other) - rankOf(one)).slice(0, 2 * limit)
}

const rankLines = (state: Fts5State, question: PartQuestion): Ranking => {
  const { words, filter, limit } = question
  const { facts, places, postings, statements } = state
  const known = words
    .flatMap((word, at) => knownWord(state, word, at) ?? [])
    .sort((one, other) => one.documents - other.documents)
  const facets = state.facets.map(facet => admitsFacet(filter, facet))
  const candidates = collectCandidates({
    postings,
    words: known,
    places,
    admits: rowFilter(facts, facets, filter),
  })
  const scored = scoresOf(candidates, facts, known, question, state)
  const best = bestOfSources(candidates, facts, scored, question.asked, state)
  const hits = firstOf(best, limit).map((place): RankedHit => {
    const score = best.scores[place] ?? 0
    const coverage = coverageOf(question.asked, scored.inLine[place] ?? 0, scored.inSource[place] ?? 0)
    const document = headOf(statements.head.all(candidates.rows[place] ?? 0)[0])
    const matched = known
      .flatMap(({ at }, column) => ((candidates.counts[place * known.length + column] ?? 0) > 0 ? [at] : []))
      .sort((one, other) => one - other)
    return { id: document.id, score, coverage, matched, document }
  })
  return {
    hits: hits.sort(byBestHit).slice(0, limit),
    total: best.places.length,
    totalIsLowerBound: !candidates.isWhole,
  }
}
