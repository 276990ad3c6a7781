import type { SearchDocument } from '#src/domain/search/document.js'
import { type DocumentPlan, nextDocuments } from '#src/domain/search/texts/document-plan.js'
import { runWithPauses, type Sliced } from '#src/domain/slicing/sliced.js'

/** Makes the documents of a text, in slices, and yields them in batches that are sent in one turn. */
export const readBatches = async function* (
  planning: Sliced<DocumentPlan>,
  breathe: () => Promise<void>,
): AsyncGenerator<ReadonlyArray<SearchDocument>, void> {
  const plan = await runWithPauses(planning, breathe)
  for (let from: number | null = 0; from !== null; ) {
    const { documents, next }: { documents: ReadonlyArray<SearchDocument>; next: number | null } =
      await runWithPauses(nextDocuments(plan, from), breathe)
    yield documents
    await breathe()
    from = next
  }
}
