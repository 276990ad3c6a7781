import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { LanguageData } from '../names/language-data.js'
import type { CorrectedHeading, FormLines } from './read-forms.js'
import type { LemmaLines, TitleLines } from './read-words.js'

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
