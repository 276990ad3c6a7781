import type { EntityType, NameKey } from '#protocol/atoms.js'

/** A line of `odmiany.tsv`: a form that a heading has, or that it does not have although the grammar makes it. */
export interface FormCorrection {
  readonly form: string
  readonly isForbidden: boolean
  /** The block of this type alone, where several share the heading; null: every one. */
  readonly type: EntityType | null
}

/** What the files of `corpora.lang` say about names. */
export interface LanguageData {
  /** By the key of the heading. */
  readonly forms: ReadonlyMap<NameKey, ReadonlyArray<FormCorrection>>
  /** Titles in the nominative, beside those of the grammar. */
  readonly titles: ReadonlyArray<string>
  /** Annotated lemmas: by the key of a form, the names that it may stand for. */
  readonly lemmas: ReadonlyMap<NameKey, ReadonlyArray<string>>
}

/** Where no `corpora.lang` is configured. */
export const emptyLanguage: LanguageData = { forms: new Map(), titles: [], lemmas: new Map() }
