import { requirePath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { type LanguageFiles, languageFileNames } from '#src/domain/language/language.js'
import type { SourceFile } from '#src/domain/lore/layout.js'

/** A file under the path that findings show, because it lies in another repository than the lore. */
const shown = perValue(
  (file: SourceFile): SourceFile => ({ ...file, path: requirePath(`corpora.lang/${file.path}`) }),
)

/** The files of language data among those of their tree. An unchanged file stays the same object. */
export const languageFilesIn = (files: ReadonlyArray<SourceFile>): LanguageFiles => {
  const named = (name: string): SourceFile | null => {
    const file = files.find(one => one.path === name)
    return file === undefined ? null : shown(file)
  }
  return {
    forms: named(languageFileNames.forms),
    titles: named(languageFileNames.titles),
    lemmas: named(languageFileNames.lemmas),
  }
}
