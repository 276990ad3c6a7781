import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { chanceOf } from '#src/demo/chance.js'
import type { DemoCommit } from '#src/demo/commit.js'
import { demoWorld } from '#src/demo/world.js'
import { writeDemo } from '#src/demo/writer/demo-writer.js'
import { type BenchDaemon, startBenchDaemon } from '#test/bench/daemon.js'
import { searchTexts, waitForTiers } from '#test/bench/search-client.js'
import { setServerKeys } from '#test/bench/server-keys.js'
import { openFts5Baseline } from './fts5-baseline.js'
import {
  type DrawRule,
  drawKnownItems,
  type KnownItem,
  type KnownText,
  lemmatise,
  meanReciprocalRank,
} from './known-items.js'
import { type OracleWords, oracleWords } from './oracle-words.js'

const options = { seed: 'ocena', scale: 1 }
const askedMax = 500
const missesShown = 10
/** What a person remembers a text by is in few others. */
const rarerShare = 0.05

/** What is asked of one tier: the texts that it has, and how questions are drawn. */
interface TierTrial extends DrawRule {
  readonly tier: 'session' | 'external'
  readonly texts: ReadonlyArray<KnownText>
}

type Places = ReadonlyArray<number | null>

interface TierScore {
  readonly tier: string
  readonly items: ReadonlyArray<KnownItem>
  readonly places: Places
  readonly fts5: Places
  /** FTS5 on texts and words that the oracle reduced: what forms alone can give. */
  readonly lemmas: Places
}

const lastFiles = (
  commits: ReadonlyArray<DemoCommit>,
): ReadonlyArray<readonly [path: string, text: string]> => [
  ...new Map(commits.flatMap(({ changes }) => changes.map(({ path, text }) => [path, text] as const))),
]

/** Sessions by their headers, the first copy of each. */
const sessionTexts = (commits: ReadonlyArray<DemoCommit>): ReadonlyArray<KnownText> => {
  const texts = new Map<string, string>()
  for (const [path, file] of lastFiles(commits))
    if (path.startsWith('Wątki/'))
      for (const text of file.split(/^(?=### )/mu).slice(1)) {
        const id = (text.split('\n')[0] ?? '').slice(4)
        if (!texts.has(id)) texts.set(id, text)
      }
  return [...texts].map(([id, text]) => ({ id, text }))
}

const documentTexts = (commits: ReadonlyArray<DemoCommit>): ReadonlyArray<KnownText> =>
  lastFiles(commits)
    .filter(([path]) => path.endsWith('.md'))
    .map(([id, text]) => ({ id, text }))

const placeIn = (ids: ReadonlyArray<string>, id: string): number | null => {
  const at = ids.findIndex(one => one === id || one.endsWith(`/${id}`))
  return at < 0 ? null : at + 1
}

const fts5Places = (
  texts: ReadonlyArray<KnownText>,
  items: ReadonlyArray<KnownItem>,
  wordOf: (word: string) => string,
): Places => {
  const baseline = openFts5Baseline(texts)
  try {
    return items.map(({ id, words }) => placeIn(baseline.search(words.map(wordOf)), id))
  } finally {
    baseline.close()
  }
}

const tryTier = async (trial: TierTrial, oracle: OracleWords, daemon: BenchDaemon): Promise<TierScore> => {
  const { tier, texts } = trial
  const items = drawKnownItems(texts, oracle, trial, chanceOf(`znane ${tier}`))
  const places: Array<number | null> = []
  for (const { id, words } of items) {
    const found = await searchTexts(daemon, { q: words.join(' '), scope: tier, limit: '10' })
    places.push(
      placeIn(
        found.map(hit => (tier === 'session' ? (hit.header ?? '') : hit.source)),
        id,
      ),
    )
  }
  const reduced = lemmatise(texts, oracle)
  return {
    tier,
    items,
    places,
    fts5: fts5Places(texts, items, word => word),
    lemmas: fts5Places(reduced.texts, items, reduced.lemmaOf),
  }
}

/** What to reach: the lower of 1.3 times FTS5's score and 0.95, and at least 0.9. */
const barOf = (fts5: number): number => Math.max(0.9, Math.min(1.3 * fts5, 0.95))

const rowOf = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(10) : cell.padStart(9))).join(' | ')

const scoreRow = (name: string, scores: ReadonlyArray<TierScore>): string =>
  rowOf([
    name,
    String(scores.flatMap(({ items }) => items).length),
    ...(['places', 'fts5', 'lemmas'] as const).map(column =>
      meanReciprocalRank(scores.flatMap(score => score[column])).toFixed(3),
    ),
  ])

const rowsOf = (scores: ReadonlyArray<TierScore>): ReadonlyArray<string> => [
  rowOf(['tier', 'asked', 'here', 'FTS5', 'by lemma']),
  ...scores.map(score => scoreRow(score.tier, [score])),
  scoreRow('all', scores),
]

const missesOf = (scores: ReadonlyArray<TierScore>): ReadonlyArray<string> =>
  scores.flatMap(({ items, places }) =>
    items.flatMap(({ id, words }, at) => {
      const place = places[at] ?? null
      return place === 1
        ? []
        : [`  ${words.join(' ')}: ${place === null ? 'not found' : `place ${place}`} – ${id}`]
    }),
  )

/** The table of known items, and whether the questions of rarer words reach their bar. */
export interface SearchTable {
  readonly text: string
  readonly isReached: boolean
}

const tableOf = (rarer: ReadonlyArray<TierScore>, any: ReadonlyArray<TierScore>): SearchTable => {
  const ours = meanReciprocalRank(rarer.flatMap(({ places }) => places))
  const bar = barOf(meanReciprocalRank(rarer.flatMap(({ fts5 }) => fts5)))
  const misses = missesOf(rarer)
  const lines = [
    'Known items: a text by two of its words, each in another form; mean reciprocal rank at 10.',
    '"by lemma": FTS5 on texts and words that the grammar of the demo reduced.',
    '',
    'Two words that no other text has together, and that at most one text in twenty has:',
    ...rowsOf(rarer),
    `to reach ${bar.toFixed(3)}: ${ours >= bar ? 'reached' : 'MISSED'}`,
    `not in the first place: ${misses.length}, such as`,
    ...misses.slice(0, missesShown),
    '',
    'The same with any words, without a bar:',
    ...rowsOf(any),
  ]
  return { text: lines.join('\n'), isReached: ours >= bar }
}

/** Writes a world, serves it with the built daemon, and asks for its sessions and works documents. */
export const evaluateSearch = async (): Promise<SearchTable> => {
  const folder = await mkdtemp(join(tmpdir(), 'kronika-evaluate-'))
  try {
    const repo = join(folder, 'world')
    const written = await writeDemo(repo, options)
    if (isLeft(written)) throw new Error(written.left.reason)
    await setServerKeys(repo, { search_index: 'all' })
    const { commits, works, paradigms } = demoWorld(options)
    const oracle = oracleWords(paradigms.values())
    const daemon = await startBenchDaemon({ repo, state: join(folder, 'state') })
    try {
      await waitForTiers(daemon, ['session', 'external'])
      const tryBoth = async (shareMax: number): Promise<ReadonlyArray<TierScore>> => {
        const rule = { count: askedMax, shareMax }
        return [
          await tryTier({ ...rule, tier: 'session', texts: sessionTexts(commits) }, oracle, daemon),
          await tryTier({ ...rule, tier: 'external', texts: documentTexts(works) }, oracle, daemon),
        ]
      }
      return tableOf(await tryBoth(rarerShare), await tryBoth(1))
    } finally {
      await daemon.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
