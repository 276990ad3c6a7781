import type { Loaded } from '#actors/corpus-keeper/load.js'
import { type FileRole, roleOf } from '#src/domain/lore/layout.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { SearchDocument, TierContent } from '#src/domain/search/document.js'
import { lemmasIn } from '#src/domain/search/query-knowledge.js'
import { contentStamp, documentVersion } from '#src/domain/search/texts/content-stamp.js'
import type { Lemmas } from '#src/domain/search/texts/document-terms.js'
import { planLore, planSession } from '#src/domain/search/texts/documents.js'
import { noOffsets } from '#src/domain/search/texts/lemma-offsets.js'
import type { AnnotatedTree } from '#src/domain/search/texts/lemma-sidecar.js'
import { type FileLines, readFileLines } from '#src/domain/search/texts/sections.js'
import { mapInSlices, runWithPauses, type Sliced } from '#src/domain/slicing/sliced.js'
import { readBatches } from './read-batches.js'
import { sessionSources, type VersionOfFile } from './session-sources.js'

/** What documents of the lore are made of. */
export type LoreTexts = Pick<Loaded, 'lore' | 'inputs' | 'annotations' | 'loreHead' | 'build'>

type Breathe = () => Promise<void>

const searchedRoles: ReadonlySet<FileRole> = new Set(['sessions', 'character'])

/** The blob of `lematy.tsv`, which the documents depend on; empty where there is none. */
export const languageVersion = ({ inputs, lore }: Pick<Loaded, 'inputs' | 'lore'>): string =>
  (inputs.language === null ? lore.get('jezyk/lematy.tsv')?.source : inputs.language.lemmas)?.blob ?? ''

/** The lemmas of a text: those of its sidecar and those of the language data. */
export const lemmasOfText = (
  { annotations, build }: Pick<Loaded, 'annotations' | 'build'>,
  tree: AnnotatedTree,
  path: string,
): Lemmas => {
  const known = annotations.known.get(`${tree}/${path}`)?.read
  return {
    ofForm: lemmasIn(build.snapshot.language),
    atOffsets: known?._tag === 'Read' ? known.offsets : noOffsets,
  }
}

/** The version of the documents of one text, whose blob is `blob`. */
export const textVersion = (
  loaded: Pick<Loaded, 'annotations' | 'inputs' | 'lore'>,
  tree: AnnotatedTree,
  path: string,
  blob: string,
): string =>
  [
    documentVersion,
    blob,
    loaded.annotations.known.get(`${tree}/${path}`)?.file.blob ?? '',
    languageVersion(loaded),
  ].join('.')

const stampOfLore = (loaded: LoreTexts): string =>
  contentStamp({
    commit: loaded.build.snapshot.commit,
    tree: loaded.loreHead.id,
    annotations: loaded.annotations.files.head?.id ?? '',
    language: languageVersion(loaded),
    setup: '',
  })

/** Parses the lines of files; the last few stay, because the sessions of one file follow each other. */
const linesReader = ({ lore }: Pick<Loaded, 'lore'>, breathe: Breathe) => {
  const parsed = new Map<string, FileLines>()
  return async (path: string): Promise<FileLines | null> => {
    const known = parsed.get(path)
    if (known !== undefined) return known
    const file: SourceFile | undefined = lore.get(path)?.source
    if (file === undefined) return null
    const lines = await runWithPauses(readFileLines(file), breathe)
    if (parsed.size >= 4) parsed.clear()
    parsed.set(path, lines)
    return lines
  }
}

/** The sections of the lore. */
export const loreContent = function* (loaded: LoreTexts, breathe: Breathe): Sliced<TierContent> {
  const searched = [...loaded.lore].filter(([path]) => searchedRoles.has(roleOf(path)))
  const versions = yield* mapInSlices(
    searched,
    ([path, { source }]) => [path, textVersion(loaded, 'lore', path, source.blob)] as const,
  )
  const read = async function* (
    sources: ReadonlyArray<string>,
  ): AsyncGenerator<ReadonlyArray<SearchDocument>, void> {
    const linesOf = linesReader(loaded, breathe)
    for (const path of sources) {
      const lines = await linesOf(path)
      if (lines !== null) yield* readBatches(planLore(lines, lemmasOfText(loaded, 'lore', path)), breathe)
      await breathe()
    }
  }
  return { stamp: stampOfLore(loaded), sources: new Map(versions), read }
}

/** The sessions. A session is a source with the documents of all its copies. */
export const sessionContent = function* (loaded: LoreTexts, breathe: Breathe): Sliced<TierContent> {
  const versions = new Map<string, string>()
  const versionOf: VersionOfFile = path => {
    const known = versions.get(path)
    if (known !== undefined) return known
    const version = textVersion(loaded, 'lore', path, loaded.lore.get(path)?.source.blob ?? '')
    versions.set(path, version)
    return version
  }
  const sessions = yield* sessionSources(loaded, versionOf)
  yield
  const read = async function* (
    sources: ReadonlyArray<string>,
  ): AsyncGenerator<ReadonlyArray<SearchDocument>, void> {
    const linesOf = linesReader(loaded, breathe)
    const wanted = sources.flatMap(key => sessions.get(key)?.session ?? [])
    for (const session of wanted.sort((one, other) => (one.path < other.path ? -1 : 1))) {
      for (const copy of session.inOrder) {
        const lines = await linesOf(copy.path)
        if (lines !== null)
          yield* readBatches(planSession(lines, copy, lemmasOfText(loaded, 'lore', copy.path)), breathe)
      }
      await breathe()
    }
  }
  return {
    stamp: stampOfLore(loaded),
    sources: new Map([...sessions].map(([key, { version }]) => [key, version])),
    read,
  }
}
