import type { SearchDocument } from '#src/domain/search/document.js'
import { type DocumentPlan, type LemmasOfForm, nextDocuments } from '#src/domain/search/texts/documents.js'
import { planGroup } from '#src/domain/search/texts/groups.js'
import type { TextGroup } from '#src/domain/search/texts/lemma-sidecar.js'
import { runWithPauses, type Sliced } from '#src/domain/slicing/sliced.js'

/** Makes the documents of a text, in slices, and yields them in batches that are sent in one turn. */
const readBatches = async function* (
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

/** Makes the documents of each group of texts. */
export const readGroups = async function* (
  groups: AsyncIterable<TextGroup>,
  ofForm: LemmasOfForm,
  breathe: () => Promise<void>,
): AsyncGenerator<ReadonlyArray<SearchDocument>, void> {
  for await (const group of groups)
    for (const planning of planGroup(group, ofForm)) yield* readBatches(planning, breathe)
}
