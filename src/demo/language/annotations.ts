import { createHash } from 'node:crypto'
import type { Change, DemoCommit } from '../commit.js'
import { demoLemmas } from './lemma-table.js'

/** The words of the text that the table has, as `[start, end, lemma]` in characters. */
const spansOf = (text: string): ReadonlyArray<readonly [start: number, end: number, lemma: string]> =>
  [...text.matchAll(/\p{L}+/gu)].flatMap(({ 0: word, index }) => {
    const lemma = demoLemmas.get(word.toLowerCase())
    return lemma === undefined ? [] : [[index, index + word.length, lemma] as const]
  })

/** The lemma sidecar of a document of a tree. */
const sidecarOf = (tree: string, { path, text }: Change): Change => {
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex')
  return {
    path: `lematy/${tree}/${path}.json`,
    text: `${JSON.stringify({ sha256, lemmas: spansOf(text) })}\n`,
  }
}

/** The files of a history after its last commit. */
const lastTexts = (commits: ReadonlyArray<DemoCommit>): ReadonlyArray<Change> =>
  [
    ...new Map(commits.flatMap(({ changes }) => changes.map(change => [change.path, change.text] as const))),
  ].map(([path, text]) => ({ path, text }))

/** How many session files are annotated. */
const annotatedThreads = 3

/**
 * The history of the annotation tree: sidecars of every second Markdown document of the works tree, and of some session
 * files. The words of the other documents fall to the rules of suffixes.
 */
export const annotationCommits = (
  lore: ReadonlyArray<DemoCommit>,
  works: ReadonlyArray<DemoCommit>,
): ReadonlyArray<DemoCommit> => {
  const documents = lastTexts(works).filter(({ path }) => path.endsWith('.md'))
  const threads = lastTexts(lore).filter(({ path }) => path.startsWith('Wątki/'))
  return [
    {
      author: { name: 'Kronika', email: 'kronika@example.org' },
      at: '2026-06-13T20:00:00Z',
      message: 'lematy: dokumenty i sesje',
      changes: [
        ...documents.filter((_, at) => at % 2 === 0).map(file => sidecarOf('dziel', file)),
        ...threads.slice(0, annotatedThreads).map(file => sidecarOf('lore', file)),
      ],
    },
  ]
}
