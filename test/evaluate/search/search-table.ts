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
import { drawKnownItems, type KnownItem, type KnownText, meanReciprocalRank } from './known-items.js'
import { type OracleWords, oracleWords } from './oracle-words.js'

const options = { seed: 'ocena', scale: 1 }
const sessionsAsked = 500
const missesShown = 10

/** What is asked of one tier: every text of it, and which field of a hit names one. */
interface TierTrial {
  readonly tier: 'session' | 'external'
  readonly texts: ReadonlyArray<KnownText>
  readonly count: number
}

interface TierScore {
  readonly tier: string
  readonly items: ReadonlyArray<KnownItem>
  readonly places: ReadonlyArray<number | null>
  readonly fts5Places: ReadonlyArray<number | null>
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

const tryTier = async (trial: TierTrial, oracle: OracleWords, daemon: BenchDaemon): Promise<TierScore> => {
  const { tier, texts, count } = trial
  const items = drawKnownItems(texts, oracle, count, chanceOf(`znane ${tier}`))
  const baseline = openFts5Baseline(texts)
  const places: Array<number | null> = []
  try {
    for (const { id, words } of items) {
      const found = await searchTexts(daemon, { q: words.join(' '), scope: tier, limit: '10' })
      places.push(
        placeIn(
          found.map(hit => (tier === 'session' ? (hit.header ?? '') : hit.source)),
          id,
        ),
      )
    }
    return {
      tier,
      items,
      places,
      fts5Places: items.map(({ id, words }) => placeIn(baseline.search(words), id)),
    }
  } finally {
    baseline.close()
  }
}

/** What to reach: the lower of 1.3 times FTS5's score and 0.95, and at least 0.9. */
const barOf = (fts5: number): number => Math.max(0.9, Math.min(1.3 * fts5, 0.95))

const rowText = (name: string, count: number, ours: number, fts5: number): string =>
  [name.padEnd(10), String(count).padStart(6), ours.toFixed(3).padStart(8), fts5.toFixed(3).padStart(8)].join(
    ' | ',
  )

/** The table of known items, and whether the whole reaches its bar. */
export interface SearchTable {
  readonly text: string
  readonly isReached: boolean
}

const tableOf = (scores: ReadonlyArray<TierScore>): SearchTable => {
  const ours = meanReciprocalRank(scores.flatMap(({ places }) => places))
  const fts5 = meanReciprocalRank(scores.flatMap(({ fts5Places }) => fts5Places))
  const bar = barOf(fts5)
  const misses = scores.flatMap(({ items, places }) =>
    items.flatMap(({ id, words }, at) => {
      const place = places[at] ?? null
      return place === 1
        ? []
        : [`  ${words.join(' ')}: ${place === null ? 'not found' : `place ${place}`} – ${id}`]
    }),
  )
  const lines = [
    'Known items: a text by two of its words in other forms, mean reciprocal rank at 10',
    ['tier'.padEnd(10), ' asked', '    here', '    FTS5'].join(' | '),
    ...scores.map(({ tier, places, fts5Places }) =>
      rowText(tier, places.length, meanReciprocalRank(places), meanReciprocalRank(fts5Places)),
    ),
    rowText('all', scores.flatMap(({ places }) => places).length, ours, fts5),
    `to reach ${bar.toFixed(3)}: ${ours >= bar ? 'reached' : 'MISSED'}`,
    `not in the first place: ${misses.length}, among them`,
    ...misses.slice(0, missesShown),
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
    const documents = documentTexts(works)
    const daemon = await startBenchDaemon({ repo, state: join(folder, 'state') })
    try {
      await waitForTiers(daemon, ['session', 'external'])
      return tableOf([
        await tryTier(
          { tier: 'session', texts: sessionTexts(commits), count: sessionsAsked },
          oracle,
          daemon,
        ),
        await tryTier({ tier: 'external', texts: documents, count: documents.length }, oracle, daemon),
      ])
    } finally {
      await daemon.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
