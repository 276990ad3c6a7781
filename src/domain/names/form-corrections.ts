import type { NameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { LanguageData } from './language-data.js'
import { formKey } from './name-words.js'

/** A heading that a form was added to; `type`: of the block of this type alone. */
export interface AddedForm {
  readonly heading: NameKey
  readonly type: EntityType | null
}

/** The corrections of `odmiany.tsv` by form. */
export interface FormCorrections {
  readonly added: ReadonlyMap<string, ReadonlyArray<AddedForm>>
  readonly hasForbidden: boolean
  readonly isForbidden: (form: string, heading: NameKey, type: EntityType) => boolean
}

/** The corrections by the key of the form. */
export const correctionsOf = perValue((language: LanguageData): FormCorrections => {
  const added = new Map<string, Array<AddedForm>>()
  const forbidden = new Map<string, Array<AddedForm>>()
  for (const [heading, corrections] of language.forms)
    for (const { form, isForbidden, type } of corrections) {
      const byForm = isForbidden ? forbidden : added
      byForm.set(formKey(form), [...(byForm.get(formKey(form)) ?? []), { heading, type }])
    }
  return {
    added,
    hasForbidden: forbidden.size > 0,
    isForbidden: (form, heading, type) =>
      forbidden.get(form)?.some(one => one.heading === heading && (one.type ?? type) === type) === true,
  }
})
