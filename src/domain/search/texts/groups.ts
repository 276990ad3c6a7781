import type { SourceFile } from '#src/domain/lore/layout.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { type DocumentPlan, type LemmasOfForm, planLore, planSession, planWorks } from './documents.js'
import { noOffsets, offsetsOfTable, type SearchText, type TextCut, type TextGroup } from './lemma-sidecar.js'
import { planPdf } from './pdf-documents.js'
import { type FileLines, readFileLines } from './sections.js'

export const groupTexts = (): TextGrouping => {
  let texts: Array<SearchText> = []
  let cuts: Array<TextCut> = []
  let placeOf = new Map<string, number>()
  let chars = 0
  const take = (): ReadonlyArray<TextGroup> => {
    if (cuts.length === 0) return []
    const group = { texts, cuts }
    texts = []
    cuts = []
    placeOf = new Map()
    chars = 0
    return [group]
  }
  return {
    add: (text, cut) => {
      const { path, text: written } = text.file
      const isFull = chars >= groupCharsMin || texts.length >= groupTextsMax
      const full = isFull && !placeOf.has(path) ? take() : []
      const at = placeOf.get(path) ?? texts.length
      if (at === texts.length) {
        texts.push(text)
        placeOf.set(path, at)
        chars += written.length
      }
      cuts.push(cut(at))
      return full
    },
    rest: take,
  }
}

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

/** A group ends before a further text once its texts have this many characters together, or are this many. */
const groupCharsMin = 262_144
const groupTextsMax = 32

/** Gathers texts and cuts into groups. */
interface TextGrouping {
  /** Adds a cut of a text. Yields the group before where it is full and has not the text. */
  readonly add: (text: SearchText, cut: (at: number) => TextCut) => Iterable<TextGroup>
  /** Yields the last group, unless it is empty. */
  readonly rest: () => Iterable<TextGroup>
}
