import type { Loaded } from '#actors/corpus-keeper/load.js'
import { decodeFile } from '#actors/corpus-keeper/source-file.js'
import type { SearchDocument, TierContent } from '#src/domain/search/document.js'
import { contentStamp } from '#src/domain/search/texts/content-stamp.js'
import { planWorks } from '#src/domain/search/texts/documents.js'
import { pdfSuffix, planPdf } from '#src/domain/search/texts/pdf-documents.js'
import { readFileLines } from '#src/domain/search/texts/sections.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import type { TreeEntry, TreeSource } from '#src/ports/git/tree-source.js'
import { languageVersion, lemmasOfText, textVersion } from './lore-contents.js'
import { readBatches } from './read-batches.js'

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
  const documentsOf = async function* (
    entry: TreeEntry,
  ): AsyncGenerator<ReadonlyArray<SearchDocument>, void> {
    const bytes = await source?.read(entry).catch((error: unknown) => {
      // The document is left out of the index until its file changes.
      warn('search_text_unreadable', { path: entry.path, reason: String(error) })
      return null
    })
    if (bytes === null || bytes === undefined) return
    const file = decodeFile(entry, bytes)
    const lemmas = lemmasOfText(loaded, 'dziel', entry.path)
    yield* readBatches(
      entry.path.endsWith(pdfSuffix)
        ? planPdf(file, floor, lemmas)
        : planWorks(await runWithPauses(readFileLines(file), breathe), lemmas),
      breathe,
    )
  }
  const read = async function* (
    sources: ReadonlyArray<string>,
  ): AsyncGenerator<ReadonlyArray<SearchDocument>, void> {
    for (const path of sources) {
      const entry = documents.entries.get(path) ?? documents.entries.get(`${path}.json`)
      if (entry !== undefined) yield* documentsOf(entry)
      await breathe()
    }
  }
  return {
    stamp: contentStamp({
      commit: null,
      tree: documents.head?.id ?? '',
      annotations: annotations.files.head?.id ?? '',
      language: languageVersion(loaded),
      setup: String(floor),
    }),
    sources: new Map(
      [...documents.entries].map(([path, { blob }]) => [
        path.endsWith(pdfSuffix) ? path.slice(0, -'.json'.length) : path,
        `${textVersion(loaded, 'dziel', path, blob)}.${path.endsWith(pdfSuffix) ? floor : ''}`,
      ]),
    ),
    read,
  }
}
