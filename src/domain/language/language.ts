import { EntityType, hasHiddenCharacter, type NameKey, nameKey } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import { type SourceFile, visitLinesInSlices } from '#src/domain/lore/layout.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { FormCorrection, LanguageData } from '../names/word-table.js'

/** Names of the files of language data, in `corpora.lang` or in `jezyk/` of the lore (D57). */
export const languageFileNames = { forms: 'odmiany.tsv', titles: 'tytuly.txt', lemmas: 'lematy.tsv' } as const

/** The files of language data; null for a file that does not exist. */
export interface LanguageFiles {
  readonly forms: SourceFile | null
  readonly titles: SourceFile | null
  readonly lemmas: SourceFile | null
}

/** The language data of a snapshot with the findings of its files. */
export interface Language {
  readonly data: LanguageData
  /** Null where there is no `odmiany.tsv`. */
  readonly formsFile: SourceFile | null
  readonly headings: ReadonlyArray<CorrectedHeading>
  readonly findings: ReadonlyArray<Finding>
}

/** Joins what the three files say. */
export const joinLanguage = (
  formsFile: SourceFile | null,
  { forms, headings, findings }: FormLines,
  titles: TitleLines,
  lemmas: LemmaLines,
): Language => ({
  data: { forms, titles: titles.titles, lemmas: lemmas.lemmas },
  formsFile,
  headings,
  findings: [...findings, ...titles.findings, ...lemmas.findings],
})

/** A heading that a line of `odmiany.tsv` names. */
export interface CorrectedHeading {
  readonly line: number
  readonly heading: string
  readonly type: EntityType | null
}

/** `odmiany.tsv` as read. */
export interface FormLines {
  readonly forms: LanguageData['forms']
  /** Each heading and type once, with the first line that names them. */
  readonly headings: ReadonlyArray<CorrectedHeading>
  readonly findings: ReadonlyArray<Finding>
}

/** The most lines of one form: each of its headings is looked up when a name has the form. */
export const linesOfFormMax = 64

/** Parses `odmiany.tsv`: `[!]form, heading[, typ]`, split by tabs. Empty for null; yields between lines. */
export const readFormsInSlices = function* (file: SourceFile | null): Sliced<FormLines> {
  if (file === null) return noForms
  const collected = new Map<NameKey, Collected>()
  const counts = new Map<string, number>()
  const headings: Array<CorrectedHeading> = []
  const findings = yield* readLanguageLines(file, (cells, line) => {
    const [written = '', heading = '', typ = '', ...further] = cells
    const isForbidden = written.startsWith('!')
    const form = isForbidden ? written.slice(1).trim() : written
    if (form === '' || heading === '' || further.length > 0) return shape
    if (!isName(form) || !isName(heading)) return size
    if (typ !== '' && !EntityType.is(typ)) return unknownType(typ)
    const type = EntityType.is(typ) ? typ : null
    const key = nameKey(heading)
    const known: Collected = collected.get(key) ?? { corrections: new Map(), types: new Set() }
    const place = `${type ?? ''}\t${nameKey(form)}`
    const earlier = known.corrections.get(place)
    if (earlier !== undefined) return earlier.isForbidden === isForbidden ? null : conflict
    const count = counts.get(nameKey(form)) ?? 0
    if (count >= linesOfFormMax) return formBound
    counts.set(nameKey(form), count + 1)
    if (!known.types.has(type)) headings.push({ line, heading, type })
    collected.set(key, known)
    known.types.add(type)
    known.corrections.set(place, { form, isForbidden, type })
    return null
  })
  const forms = new Map<NameKey, ReadonlyArray<FormCorrection>>()
  yield* forEachInSlices(collected, ([key, { corrections }]) => forms.set(key, [...corrections.values()]))
  return { forms, headings, findings }
}

/** The most lines of one file that are used. Comments and blank lines do not count. */
export const languageLinesMax = 100_000

/** The most titles that are used: each one is tried on every name. */
export const titlesMax = 1000

/** `tytuly.txt` as read. */
export interface TitleLines {
  readonly titles: LanguageData['titles']
  readonly findings: ReadonlyArray<Finding>
}

/** `lematy.tsv` as read. */
export interface LemmaLines {
  readonly lemmas: LanguageData['lemmas']
  readonly findings: ReadonlyArray<Finding>
}

/** Parses `tytuly.txt`, a title a line. Empty for null; yields between lines. */
export const readTitlesInSlices = function* (file: SourceFile | null): Sliced<TitleLines> {
  if (file === null) return noTitleLines
  const titles = new Map<NameKey, string>()
  const findings = yield* readLanguageLines(file, ([title, ...further]) => {
    if (!isWord(title) || further.length > 0) return titleShape
    if (titles.has(nameKey(title))) return null
    if (titles.size >= titlesMax) return titleBound
    titles.set(nameKey(title), title)
    return null
  })
  return { titles: [...titles.values()], findings }
}

/** Parses `lematy.tsv`: `form, lemma`, split by a tab. Empty for null; yields between lines. */
export const readLemmasInSlices = function* (file: SourceFile | null): Sliced<LemmaLines> {
  if (file === null) return noLemmaLines
  const lemmas = new Map<NameKey, ReadonlyArray<string>>()
  const findings = yield* readLanguageLines(file, ([form, lemma, ...further]) => {
    if (!isWord(form) || !isWord(lemma) || further.length > 0) return lemmaShape
    const known = lemmas.get(nameKey(form)) ?? []
    if (known.includes(lemma)) return null
    if (known.length >= lemmasOfFormMax) return lemmaBound
    lemmas.set(nameKey(form), [...known, lemma])
    return null
  })
  return { lemmas, findings }
}

const noForms: FormLines = { forms: new Map(), headings: [], findings: [] }

const shape: LineFault = [
  'Wiersz nie ma postaci „forma, nagłówek” albo „forma, nagłówek, typ” rozdzielonych tabulatorami.',
  'Wpisz formę (z wykrzyknikiem na początku, jeśli ma nie działać), tabulator i nagłówek.',
]
const size: LineFault = [
  `Forma albo nagłówek ma ponad ${bounds.nameChars.limit} znaków lub znak, którego nie widać.`,
  'Skróć nazwę albo przepisz ją ręcznie.',
]
const conflict: LineFault = [
  'Wcześniejszy wiersz mówi o tej formie tego nagłówka coś przeciwnego.',
  'Zostaw jeden z tych dwóch wierszy.',
]
const formBound: LineFault = [
  `Forma ma już ${linesOfFormMax} wierszy; ten został pominięty.`,
  'Zostaw tylko nagłówki, o których ktoś mówi w tej formie.',
]
const unknownType = (type: string): LineFault => [
  `Typ „${type.slice(0, bounds.nameChars.limit)}” nie istnieje.`,
  'Wpisz NPC, Grupa, Lokacja, Mapa, Gracz, Postać, Przedmiot albo Region, albo usuń typ.',
]

const isName = (text: string): boolean => text.length <= bounds.nameChars.limit && !hasHiddenCharacter(text)

/** The lines of one heading while the file is read, by form and type. */
interface Collected {
  readonly corrections: Map<string, FormCorrection>
  readonly types: Set<EntityType | null>
}

/** The longest line; a heading or a form has at most 200 characters. */
const lineCharsMax = 1000

/** Why a line is skipped: the reason and the suggestion of its finding, in Polish. */
type LineFault = readonly [reason: string, suggestion: string]

interface BadLine {
  readonly line: number
  readonly fault: LineFault
}

const tooLong: LineFault = [
  `Wiersz jest dłuższy niż ${lineCharsMax} znaków i został pominięty.`,
  'Zostaw w wierszu tylko nazwy.',
]

const findingAt = (file: SourceFile, { line, fault: [reason, suggestion] }: BadLine): Finding => ({
  kind: 'LanguageLine',
  severity: 'warning',
  file: file.path,
  line,
  subject: null,
  reason,
  suggestion,
})

const furtherLines = (file: SourceFile, line: number): Finding => ({
  kind: 'LanguageAboveBound',
  severity: 'warning',
  file: file.path,
  line,
  subject: null,
  reason: `Plik ma więcej niż ${languageLinesMax} wierszy; ten i dalsze zostały pominięte.`,
  suggestion: 'Usuń wiersze, które niczego nie poprawiają.',
})

const blanks = /[\s\u00a0]+/gu

/** A cell with blanks collapsed, in NFC. */
const cellOf = (text: string): string => text.normalize('NFC').replace(blanks, ' ').trim()

/**
 * Visits each line of a file of language data, split at tabs. Skips blank lines and comments, which begin
 * with `#`. `take` returns why a line is wrong, or null; a wrong line is a finding. Never throws.
 */
const readLanguageLines = function* (
  file: SourceFile,
  take: (cells: ReadonlyArray<string>, line: number) => LineFault | null,
): Sliced<ReadonlyArray<Finding>> {
  const bad: Array<BadLine> = []
  const above: Array<Finding> = []
  let taken = 0
  yield* visitLinesInSlices(file.text, (raw, line) => {
    const shown = raw.slice(0, lineCharsMax + 1).trimEnd()
    if (shown === '' || shown.trimStart().startsWith('#')) return true
    if (taken === languageLinesMax) {
      above.push(furtherLines(file, line))
      return false
    }
    taken += 1
    const fault = shown.length > lineCharsMax ? tooLong : take(shown.split('\t').map(cellOf), line)
    if (fault !== null) bad.push({ line, fault })
    return true
  })
  return [...firstFindings(bad, one => findingAt(file, one)), ...above]
}

/** The most lemmas of one form. */
const lemmasOfFormMax = 16

const noTitleLines: TitleLines = { titles: [], findings: [] }
const noLemmaLines: LemmaLines = { lemmas: new Map(), findings: [] }

const titleShape: LineFault = [
  `Wiersz nie jest jednym tytułem, który ma najwyżej ${bounds.nameChars.limit} znaków i tylko widoczne znaki.`,
  'Wpisz jeden tytuł w wierszu, bez tabulatorów.',
]
const titleBound: LineFault = [
  `Plik ma więcej niż ${titlesMax} tytułów; ten został pominięty.`,
  'Usuń tytuły, których nikt nie używa.',
]
const lemmaShape: LineFault = [
  `Wiersz nie ma postaci „forma, lemat” rozdzielonych tabulatorem, do ${bounds.nameChars.limit} widocznych znaków.`,
  'Wpisz formę, tabulator i lemat.',
]
const lemmaBound: LineFault = [
  `Forma ma już ${lemmasOfFormMax} lematów; ten został pominięty.`,
  'Zostaw tylko lematy, których ktoś używa.',
]

const isWord = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && text.length <= bounds.nameChars.limit && !hasHiddenCharacter(text)
