import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { chanceOf } from '#src/demo/chance.js'
import type { DemoCommit } from '#src/demo/commit.js'
import { demoWorld } from '#src/demo/world.js'
import { writeDemo } from '#src/demo/writer/demo-writer.js'
import { type BenchDaemon, startBenchDaemon } from '#test/bench/daemon.js'
import { type Figure, figureAtLeast, figureWithoutBar } from '#test/bench/figure.js'
import { findTexts, waitForTiers } from '#test/bench/search-client.js'
import { setServerKeys } from '#test/bench/worlds.js'
import type { Evaluation } from '../evaluation.js'
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
/** Mean reciprocal rank at 10. */
const unit = 'MRR'
/** Words that few texts have. */
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
    const found = await findTexts(daemon, { q: words.join(' '), scope: tier, limit: '10' })
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

const scoreOf = (scores: ReadonlyArray<TierScore>, column: 'places' | 'fts5' | 'lemmas'): number =>
  meanReciprocalRank(scores.flatMap(score => score[column]))

const noteOf = (scores: ReadonlyArray<TierScore>): string => {
  const asked = scores.flatMap(({ items }) => items).length
  const [fts5, lemmas] = [scoreOf(scores, 'fts5'), scoreOf(scores, 'lemmas')]
  return `${asked} asked; FTS5 ${fts5.toFixed(3)}, FTS5 by lemma ${lemmas.toFixed(3)}`
}

const tierFigures = (name: string, scores: ReadonlyArray<TierScore>): ReadonlyArray<Figure> =>
  scores.map(score =>
    figureWithoutBar(`${name}, tier ${score.tier}`, unit, scoreOf([score], 'places'), noteOf([score])),
  )

const missesOf = (scores: ReadonlyArray<TierScore>): ReadonlyArray<string> =>
  scores.flatMap(({ items, places }) =>
    items.flatMap(({ id, words }, at) => {
      const place = places[at] ?? null
      return place === 1
        ? []
        : [`${words.join(' ')}: ${place === null ? 'not found' : `place ${place}`}: ${id}`]
    }),
  )

/** What the questions of any two words must reach, and beside it the same with rarer words. */
const evaluationOf = (any: ReadonlyArray<TierScore>, rarer: ReadonlyArray<TierScore>): Evaluation => {
  const byRarer = 'known item by two rarer words in other forms'
  const byAny = 'known item by any two words in other forms'
  return {
    title: 'known items: texts that two words name, not in the first place',
    figures: [
      figureAtLeast(byAny, unit, barOf(scoreOf(any, 'fts5')), scoreOf(any, 'places'), noteOf(any)),
      ...tierFigures(byAny, any),
      figureWithoutBar(byRarer, unit, scoreOf(rarer, 'places'), noteOf(rarer)),
    ],
    wrong: missesOf(any),
  }
}

/** Writes a world, serves it with the built daemon, and asks for its sessions and works documents. */
export const evaluateSearch = async (): Promise<Evaluation> => {
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
      return evaluationOf(await tryBoth(1), await tryBoth(rarerShare))
    } finally {
      await daemon.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
