import {
  type FormLines,
  joinLanguage,
  type Language,
  type LanguageFiles,
  type LemmaLines,
  readFormsInSlices,
  readLemmasInSlices,
  readTitlesInSlices,
  type TitleLines,
} from '#src/domain/language/language.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { buildStage, buildStageInSlices, type Stage } from './stage.js'

export interface LanguageStages {
  readonly languageForms: Stage<FormLines>
  readonly languageTitles: Stage<TitleLines>
  readonly languageLemmas: Stage<LemmaLines>
  readonly language: Stage<Language>
}

/** The stages of the language data: each file is parsed again only if it changed. */
export const buildLanguage = function* (
  files: LanguageFiles,
  before: LanguageStages | undefined,
): Sliced<LanguageStages> {
  const forms = yield* buildStageInSlices(before?.languageForms, [files.forms], () =>
    readFormsInSlices(files.forms),
  )
  yield
  const titles = yield* buildStageInSlices(before?.languageTitles, [files.titles], () =>
    readTitlesInSlices(files.titles),
  )
  yield
  const lemmas = yield* buildStageInSlices(before?.languageLemmas, [files.lemmas], () =>
    readLemmasInSlices(files.lemmas),
  )
  const language = buildStage(before?.language, [files.forms, forms.value, titles.value, lemmas.value], () =>
    joinLanguage(files.forms, forms.value, titles.value, lemmas.value),
  )
  return { languageForms: forms, languageTitles: titles, languageLemmas: lemmas, language }
}
