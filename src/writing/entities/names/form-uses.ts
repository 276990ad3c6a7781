import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { aliasKeys } from '#src/domain/entities/reading/collect.js'
import { type PossibleForms, possibleForms } from '#src/domain/names/reach/possible-forms.js'
import { resolveUpToForms } from '#src/domain/names/reach/resolve-forms.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'

/** Whether a text that may be a form of a name means another block, or none, after the write. */
export type IsChanged = (used: NameKey) => boolean

/** The texts that may be forms of a name, those of `odmiany.tsv` included. */
export const formsWithCorrections = ({ language }: NameIndex, name: string): PossibleForms => {
  const corrections = language.forms.get(nameKey(name)) ?? []
  return possibleForms(
    name,
    corrections.filter(one => !one.isForbidden).map(one => one.form),
  )
}

/**
 * A text that means no block may mean the new bearer of a name. One that means another block by a form or by a single
 * word of its names may become ambiguous, or mean none.
 */
export const mayGainEffects =
  (names: NameIndex, than: Entity | null): IsChanged =>
  used => {
    const { found, isForm } = resolveUpToForms(names, used)
    return found.stage === 'miss' || (isForm && found.candidates.some(one => one !== than))
  }

/**
 * A text that means the holder by a form of the name `key` may mean another block, or none, without that name. So may
 * a word that the holder shares with one other block, and that therefore means neither.
 */
export const mayLoseEffects = (names: NameIndex, holder: Entity, key: NameKey): IsChanged => {
  const others = [holder.key, ...aliasKeys(holder)].filter(one => one !== key)
  const within = (entity: Entity): boolean => entity !== holder
  let rest: ReadonlyArray<PossibleForms> | null = null
  return used => {
    const { found, isForm } = resolveUpToForms(names, used)
    if (found.stage !== 'miss') return isForm && found.candidates.includes(holder)
    if (resolveName(names, used, { upTo: 'alternation', within }).stage === 'miss') return false
    rest ??= others.map(one => formsWithCorrections(names, one))
    return !rest.some(forms => forms.has(used))
  }
}
