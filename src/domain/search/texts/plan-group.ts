import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { DocumentPlan } from './document-plan.js'
import type { LemmasOfForm } from './document-terms.js'
import { planLore, planSession, planWorks } from './documents.js'
import { noOffsets, offsetsOfTable } from './lemma-offsets.js'
import { planPdf } from './pdf-documents.js'
import { type FileLines, readFileLines } from './sections.js'
import type { SearchText, TextCut, TextGroup } from './text-group.js'

/** Plans the documents of each cut of a group; the lines of a text are parsed once. */
export const planGroup = function* (
  { texts, cuts }: TextGroup,
  ofForm: LemmasOfForm,
): Generator<Sliced<DocumentPlan>, void, undefined> {
  const parsed = new Map<number, FileLines>()
  const linesOf = function* (at: number, file: SourceFile): Sliced<FileLines> {
    const lines = parsed.get(at) ?? (yield* readFileLines(file))
    parsed.set(at, lines)
    return lines
  }
  const planCut = function* (cut: TextCut, { file, stated }: SearchText): Sliced<DocumentPlan> {
    const lemmas = { ofForm, atOffsets: stated === null ? noOffsets : offsetsOfTable(stated) }
    switch (cut._tag) {
      case 'Lore':
        return yield* planLore(yield* linesOf(cut.at, file), lemmas)
      case 'Works':
        return yield* planWorks(yield* linesOf(cut.at, file), lemmas)
      case 'Session':
        return yield* planSession(yield* linesOf(cut.at, file), cut.copy, lemmas)
      case 'Pdf':
        return yield* planPdf(file, cut.confidenceFloor, lemmas)
    }
  }
  for (const cut of cuts) {
    const text = texts[cut.at]
    if (text !== undefined) yield planCut(cut, text)
  }
}
