import type { Loaded } from '#actors/corpus-keeper/load.js'
import { decodeFile } from '#actors/corpus-keeper/read-entries.js'
import type { TierContent } from '#src/domain/search/document.js'
import { groupTexts } from '#src/domain/search/texts/groups.js'
import type { SearchText, TextGroup } from '#src/domain/search/texts/lemma-sidecar.js'
import { contentStamp, pdfSuffix } from '#src/domain/search/texts/pdf-documents.js'
import type { TreeEntry, TreeSource } from '#src/ports/git.js'
import { contentOfTexts, languageVersion, searchText, textVersion } from './lore-contents.js'

/** What reading the works tree needs of the host. */
export interface WorksReading {
  readonly breathe: () => Promise<void>
  readonly warn: (event: string, fields: Readonly<Record<string, string>>) => void
}

/** The documents of the works tree. Texts are read from it when they are indexed. */
export const worksContent = (
  loaded: Loaded,
  source: TreeSource | null,
  { breathe, warn }: WorksReading,
): TierContent => {
  const { documents, annotations, inputs } = loaded
  const floor = inputs.config['scrape.pdf_confidence_floor']
  const textOf = async (entry: TreeEntry): Promise<SearchText | null> => {
    const bytes = await source?.read(entry).catch((error: unknown) => {
      // The document is left out of the index until its file changes.
      warn('search_text_unreadable', { path: entry.path, reason: String(error) })
      return null
    })
    return bytes === null || bytes === undefined
      ? null
      : searchText(loaded, 'dziel', decodeFile(entry, bytes))
  }
  const groups = async function* (sources: ReadonlyArray<string>): AsyncGenerator<TextGroup, void> {
    const group = groupTexts()
    for (const path of sources) {
      const entry = documents.entries.get(path) ?? documents.entries.get(`${path}.json`)
      const text = entry === undefined ? null : await textOf(entry)
      if (text !== null)
        yield* group.add(text, at =>
          text.file.path.endsWith(pdfSuffix)
            ? { _tag: 'Pdf', at, confidenceFloor: floor }
            : { _tag: 'Works', at },
        )
      await breathe()
    }
    yield* group.rest()
  }
  const stamp = contentStamp({
    commit: null,
    tree: documents.head?.id ?? '',
    annotations: annotations.files.head?.id ?? '',
    language: languageVersion(loaded),
    setup: String(floor),
  })
  const sources = new Map(
    [...documents.entries].map(([path, { blob }]) => [
      path.endsWith(pdfSuffix) ? path.slice(0, -'.json'.length) : path,
      `${textVersion(loaded, 'dziel', path, blob)}.${path.endsWith(pdfSuffix) ? floor : ''}`,
    ]),
  )
  return contentOfTexts(loaded, { stamp, sources }, groups, breathe)
}
