import { documents, type Source, sources } from './sources.js'

/** A kind of citation: what it is called, and the text that cites it. The pattern has the flag `g`. */
export interface CitationKind {
  readonly name: string
  readonly pattern: RegExp
}

const specFolder = 'docs/spec/'
const decisionFolder = 'docs/decisions/'

/** The pages that anchors stand in. */
export const specPages: ReadonlyArray<Source> = documents.filter(({ path }) => path.startsWith(specFolder))

/** Every text whose citations must resolve: code, tests and documents, decision records left out. */
export const citingTexts: ReadonlyArray<Source> = [
  ...sources,
  ...documents.filter(({ path }) => !path.startsWith(decisionFolder)),
]

/** The anchor of an id: `A 4.1.9` is at `a-4-1-9`, `D27` at `d27`. */
export const citationAnchorOf = (id: string): string => id.toLowerCase().replaceAll(/[ .]/g, '-')

/** The ids that a text cites, of the kinds given, each as often as it is cited. */
export const citationsIn = (text: string, kinds: ReadonlyArray<CitationKind>): ReadonlyArray<string> =>
  kinds.flatMap(({ pattern }) => [...text.matchAll(pattern)].map(found => found[0]))

/** The names of the anchors `<a id="…"></a>` of a page, each as often as it stands. */
export const anchorsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<a id="([^"]*)"><\/a>/g)].map(found => found[1] ?? '')

const countAnchors = (pages: ReadonlyArray<Source>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const anchor of pages.flatMap(({ text }) => anchorsIn(text)))
    counts.set(anchor, (counts.get(anchor) ?? 0) + 1)
  return counts
}

/** Each citation without an anchor, as `path: id`, in the order of the texts. */
export const findUnresolved = (
  texts: ReadonlyArray<Source>,
  pages: ReadonlyArray<Source>,
  kinds: ReadonlyArray<CitationKind>,
): ReadonlyArray<string> => {
  const anchors = countAnchors(pages)
  return texts.flatMap(({ path, text }) =>
    [...new Set(citationsIn(text, kinds))]
      .filter(id => !anchors.has(citationAnchorOf(id)))
      .map(id => `${path}: ${id}`),
  )
}

/** The anchors of citations of these kinds that stand more than once over all pages. */
export const findRepeatedAnchors = (
  pages: ReadonlyArray<Source>,
  isOfKind: (anchor: string) => boolean,
): ReadonlyArray<string> =>
  [...countAnchors(pages)]
    .filter(([anchor, count]) => count > 1 && isOfKind(anchor))
    .map(([anchor]) => anchor)
