import { type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import { perValueInSlices } from '#src/domain/caching/per-value-in-slices.js'
import { foldDiacritics } from '#src/domain/polish/fold.js'
import { forEachInSlices, forEachNestedInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { FormCorrection, LanguageData } from '../language-data.js'
import { splitName } from './name-words.js'

/** A heading that a form was added to; `type`: of the block of this type alone. */
export interface AddedForm {
  readonly heading: NameKey
  readonly type: EntityType | null
}

/** The corrections of `odmiany.tsv` by form. */
export interface FormCorrections {
  readonly added: ReadonlyMap<string, ReadonlyArray<AddedForm>>
  /**
   * The types whose blocks of the heading lose the form, given as its words, or with `isFolded` all forms that differ
   * from the words in diacritics alone; null among them: those of every type.
   */
  readonly typesWithout: (
    words: ReadonlyArray<string>,
    isFolded: boolean,
    heading: NameKey,
  ) => ReadonlySet<EntityType | null> | undefined
}

/** A text without what a folded reading does not have: diacritics and apostrophes. */
const bareText = (text: string): string => foldDiacritics(text).replaceAll("'", '')

type ForbiddenTypes = Map<NameKey, Set<EntityType | null>>

const getOrAdd = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** The corrections by the key of the form. Yields between headings. */
export const correctionsInSlices = perValueInSlices(function* (
  language: LanguageData,
): Sliced<FormCorrections> {
  const added = new Map<string, Array<AddedForm>>()
  const forbidden = new Map<string, ForbiddenTypes>()
  const folded = new Map<string, ForbiddenTypes>()
  const take = (heading: NameKey, { form, isForbidden, type }: FormCorrection): void => {
    if (!isForbidden) {
      getOrAdd(added, nameKey(form), (): Array<AddedForm> => []).push({ heading, type })
      return
    }
    const words = splitName(nameKey(form)).join(' ')
    for (const [forms, key] of [
      [forbidden, words],
      [folded, bareText(words)],
    ] as const) {
      const headings = getOrAdd(forms, key, (): ForbiddenTypes => new Map())
      getOrAdd(headings, heading, () => new Set<EntityType | null>()).add(type)
    }
  }
  yield* forEachNestedInSlices(language.forms, ([heading, corrections]) =>
    forEachInSlices(corrections, correction => take(heading, correction)),
  )
  const typesWithout: FormCorrections['typesWithout'] = (words, isFolded, heading) => {
    if (forbidden.size === 0) return undefined
    const text = words.join(' ')
    return (isFolded ? folded.get(bareText(text)) : forbidden.get(text))?.get(heading)
  }
  return { added, typesWithout }
})
