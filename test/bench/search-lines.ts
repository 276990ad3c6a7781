import { chanceOf } from '#src/demo/chance.js'
import { demoWorld } from '#src/demo/world.js'
import type { DocumentHead, SearchDocument, TierContent } from '#src/domain/search/document.js'
import { anyDocument, type RankQuestion } from '#src/domain/search/ranking.js'
import { reduceWord } from '#src/domain/search/reduce-word.js'
import type { MemoryDocuments } from '#test/support/search/memory-documents.js'
import { searchRig } from '#test/support/search/search-rig.js'
import { type Figure, figureAtMost, figureWithoutBar, median } from './figure.js'
import { percentile } from './percentile.js'
import { drawQueries, linesOfProse, rankWords } from './search-texts.js'

/** The world of this scale has 20,000 sessions, whose clauses are more lines than are asked for. */
export const lineWorld = { scale: 20, linesMax: 600_000 }
const linesInLog = 300
const queriesAsked = 1500
const queriesOfWarmUp = 150
const hitsMax = 20

const termsOf = (text: string): ReadonlyArray<string> =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(reduceWord)

const headOf = (kind: 'session' | 'speech', source: string, at: number): DocumentHead => ({
  id: `${source}#${at}`,
  source,
  kind,
  path: `${source}.md`,
  blob: null,
  bytes: { from: at * 100, to: at * 100 + 99 },
  line: at + 1,
  title: source,
  header: null,
  day: { from: '2026-01-01', to: '2026-01-01' },
  diegesis: 'in-game',
  authority: kind === 'speech' ? 'transcript' : 'rada',
  visibility: 'all',
})

/** Documents that are made when they are read, so that the bench does not hold them. */
const makeDocuments = (
  tier: 'session' | 'speech',
  texts: ReadonlyMap<string, ReadonlyArray<string>>,
): MemoryDocuments => {
  const stamp = 'generated'
  const content: TierContent = {
    stamp,
    sources: new Map([...texts.keys()].map(source => [source, '1'])),
    read: async function* (sources) {
      for (const source of sources) {
        await new Promise(resolve => setImmediate(resolve))
        const own = texts.get(source) ?? []
        yield own.map((text, at): SearchDocument => ({ ...headOf(tier, source, at), terms: termsOf(text) }))
      }
    },
    texts: null,
  }
  return {
    tier,
    stamp: () => stamp,
    set: () => undefined,
    current: () => content,
    watch: () => undefined,
  }
}

const proseOf = (scale: number): ReadonlyArray<string> => {
  const { commits } = demoWorld({ seed: 'pomiar', scale })
  const files = new Map(
    commits.flatMap(({ changes }) => changes.map(({ path, text }) => [path, text] as const)),
  )
  return [...files]
    .filter(([path]) => path.startsWith('Wątki/'))
    .flatMap(([, text]) => text.split(/^(?=### )/mu).slice(1))
}

const sourcesOf = (
  texts: ReadonlyArray<string>,
  perSource: number,
  name: string,
): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    Array.from({ length: Math.ceil(texts.length / perSource) }, (_, at) => [
      `${name}/${String(at).padStart(6, '0')}`,
      texts.slice(at * perSource, (at + 1) * perSource),
    ]),
  )

const firstOf = function* (all: Iterable<string>, count: number): Generator<string> {
  let taken = 0
  for (const one of all) {
    if (taken === count) return
    taken += 1
    yield one
  }
}

const questionOf = (query: string): RankQuestion => {
  const terms = [...new Set(termsOf(query))]
  return { terms, covers: terms.map((_, at) => 1 << at), filter: anyDocument, offset: 0, limit: hitsMax }
}

/**
 * Two tiers, one of 20,000 sections of prose and one of 600,000 lines, each asked in its thread as `/search` asks them.
 * Nothing fills the speech tier of a node yet, so there is no route between.
 */
export const lineFigures = async ({ scale, linesMax } = lineWorld): Promise<ReadonlyArray<Figure>> => {
  const prose = proseOf(scale)
  const lines = [...firstOf(linesOfProse(prose), linesMax)]
  const queries = drawQueries(rankWords(prose), queriesAsked + queriesOfWarmUp, chanceOf('zapytania'))
  const rigs = [
    await searchRig({
      tier: 'session',
      documents: makeDocuments('session', sourcesOf(prose, 20, 'proza')),
    }),
    await searchRig({
      tier: 'speech',
      documents: makeDocuments('speech', sourcesOf(lines, linesInLog, 'logi')),
    }),
  ] as const
  try {
    const startedMs = performance.now()
    for (const rig of rigs) await rig.until(({ state, isBuilding }) => state === 'live' && !isBuilding)
    const builtMs = performance.now() - startedMs
    const times: Array<number> = []
    for (const query of queries) {
      const askedMs = performance.now()
      const answers = await Promise.all([
        rigs[0].asker.rank('session', questionOf(query)),
        rigs[1].asker.rank('speech', questionOf(query)),
      ])
      times.push(performance.now() - askedMs)
      for (const { _tag } of answers) if (_tag !== 'Ranked') throw new Error(`${query}: ${_tag}`)
    }
    const seen = times.slice(queriesOfWarmUp)
    const over = `${prose.length} sections and ${lines.length} lines`
    return [
      figureAtMost(`query over ${over}, median`, 'ms', 6, median(seen)),
      figureAtMost(`query over ${over}, p99`, 'ms', 50, percentile(seen, 0.99)),
      figureWithoutBar('build of these indexes', 'ms', builtMs),
    ]
  } finally {
    for (const rig of rigs) {
      await rig.close()
      rig.dispose()
    }
  }
}
