import { chanceOf } from '#src/demo/chance.js'
import { demoWorld } from '#src/demo/world.js'
import type { DocumentHead, DocumentPort, SearchDocument } from '#src/domain/search/document.js'
import { reduceWord } from '#src/domain/search/reduce-word.js'
import type { RankQuestion } from '#src/domain/search/ranking.js'
import { anyDocument } from '#src/domain/search/ranking.js'
import { searchRig } from '#test/support/search/search-rig.js'
import { type Figure, figureAtMost, figureWithoutBar, median } from './figure.js'
import { percentile } from './percentile.js'
import { drawQueries, linesOfProse, rankWords } from './search-texts.js'

/** The world of this scale has 20,000 sessions, whose clauses are more lines than are asked for. */
const scale = 20
const linesMax = 600_000
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
const generatedDocuments = (
  tier: 'session' | 'speech',
  sources: ReadonlyMap<string, ReadonlyArray<string>>,
): DocumentPort => ({
  tier,
  current: () => ({
    stamp: 'generated',
    sources: new Map([...sources.keys()].map(source => [source, '1'])),
    read: async function* (asked) {
      for (const source of asked) {
        await new Promise(resolve => setImmediate(resolve))
        const texts = sources.get(source) ?? []
        yield texts.map((text, at): SearchDocument => ({ ...headOf(tier, source, at), terms: termsOf(text) }))
      }
    },
  }),
  watch: () => undefined,
})

const proseOf = (): ReadonlyArray<string> => {
  const { commits } = demoWorld({ seed: 'pomiar', scale })
  const files = new Map(
    commits.flatMap(({ changes }) => changes.map(({ path, text }) => [path, text] as const)),
  )
  return [...files]
    .filter(([path]) => path.startsWith('Wątki/'))
    .flatMap(([, text]) => text.split(/^(?=### )/mu).slice(1))
}
