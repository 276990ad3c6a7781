import { hasHiddenCharacter, type NameKey, nameKey } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { LanguageData } from '../names/language-data.js'
import { type LineFault, readLanguageLines } from './read-lines.js'

/** The most titles that are used: each one is tried on every name. */
export const titlesMax = 1000
/** The most lemmas of one form. */
const lemmasOfFormMax = 16

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

export const noTitleLines: TitleLines = { titles: [], findings: [] }
export const noLemmaLines: LemmaLines = { lemmas: new Map(), findings: [] }

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
