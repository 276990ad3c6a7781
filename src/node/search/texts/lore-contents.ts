import type { Loaded } from '#actors/corpus-keeper/load.js'
import { type FileRole, roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import { pathNamesTopics } from '#src/domain/lore/topic-text.js'
import type { TierContent } from '#src/domain/search/document.js'
import { lemmasIn } from '#src/domain/search/query.js'
import { groupTexts } from '#src/domain/search/texts/groups.js'
import type {
  AnnotatedTree,
  CopyPlace,
  SearchText,
  TextCut,
  TextGroup,
  TierTexts,
} from '#src/domain/search/texts/lemma-sidecar.js'
import { contentStamp, documentVersion } from '#src/domain/search/texts/pdf-documents.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'
import { mapInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { readGroups } from './read-batches.js'
import { sessionSources, type VersionOfFile } from './session-sources.js'

/** What documents of the lore are made of. */
export type LoreTexts = Pick<Loaded, 'lore' | 'inputs' | 'annotations' | 'loreHead' | 'build'>

type Breathe = () => Promise<void>

const searchedRoles: ReadonlySet<FileRole> = new Set(['sessions', 'character'])

/** The blob of `lematy.tsv`, which the documents depend on; empty where there is none. */
export const languageVersion = ({ inputs, lore }: Pick<Loaded, 'inputs' | 'lore'>): string =>
  (inputs.language === null ? lore.get('jezyk/lematy.tsv')?.source : inputs.language.lemmas)?.blob ?? ''

/** A file with the lemmas of its sidecar. */
export const searchText = (
  { annotations }: Pick<Loaded, 'annotations'>,
  tree: AnnotatedTree,
  file: SourceFile,
): SearchText => {
  const known = annotations.known.get(`${tree}/${file.path}`)?.read
  return { file, stated: known?._tag === 'Read' ? known.offsets : null }
}

/** The content of a tier that is made of groups of texts. */
export const contentOfTexts = (
  { build }: Pick<Loaded, 'build'>,
  { stamp, sources }: Pick<TierContent, 'stamp' | 'sources'>,
  groups: TierTexts['groups'],
  breathe: Breathe,
): TierContent => {
  const { lemmas } = build.snapshot.language.data
  return {
    stamp,
    sources,
    read: chosen => readGroups(groups(chosen), lemmasIn(lemmas), breathe),
    texts: { lemmas, groups },
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

/** The sections of the lore. */
export const loreContent = function* (loaded: LoreTexts, breathe: Breathe): Sliced<TierContent> {
  const searched = [...loaded.lore].filter(
    ([path]) => searchedRoles.has(roleOf(path)) && !pathNamesTopics(path),
  )
  const versions = yield* mapInSlices(
    searched,
    ([path, { source }]) => [path, textVersion(loaded, 'lore', path, source.blob)] as const,
  )
  const groups = async function* (paths: ReadonlyArray<string>): AsyncGenerator<TextGroup, void> {
    const group = groupTexts()
    for (const path of paths) {
      const file = loaded.lore.get(path)?.source
      if (file !== undefined) yield* group.add(searchText(loaded, 'lore', file), at => ({ _tag: 'Lore', at }))
      await breathe()
    }
    yield* group.rest()
  }
  return contentOfTexts(loaded, { stamp: stampOfLore(loaded), sources: new Map(versions) }, groups, breathe)
}

const placeOf = ({ header, key, line, endLine, date, dateEnd, title }: SessionCopy): CopyPlace => ({
  header,
  key,
  line,
  endLine,
  date,
  dateEnd,
  title,
})

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
  const groups = async function* (keys: ReadonlyArray<string>): AsyncGenerator<TextGroup, void> {
    const group = groupTexts()
    const wanted = keys.flatMap(key => sessions.get(key)?.session ?? [])
    for (const session of wanted.sort((one, other) => (one.path < other.path ? -1 : 1))) {
      for (const copy of session.inOrder) {
        const file = loaded.lore.get(copy.path)?.source
        if (file === undefined) continue
        const cut = (at: number): TextCut => ({ _tag: 'Session', at, copy: placeOf(copy) })
        yield* group.add(searchText(loaded, 'lore', file), cut)
      }
      await breathe()
    }
    yield* group.rest()
  }
  const sources = new Map([...sessions].map(([key, { version }]) => [key, version]))
  return contentOfTexts(loaded, { stamp: stampOfLore(loaded), sources }, groups, breathe)
}
