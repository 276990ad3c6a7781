import type { EntityType } from '#protocol/atoms.js'
import type { NameIndex, Resolution } from '../resolution.js'
import { resolveName } from '../resolve.js'

/** A resolution up to inflected forms. `isForm`: no block has the text as a written name. */
export interface FormResolution {
  readonly found: Resolution
  readonly isForm: boolean
}

/**
 * Resolves a name as effects, participants and prose do (docs/spec/names.md#reach): written names first, then
 * computed aliases and generated forms. `types` are tried in turn at each of both steps; null is any type.
 */
export const resolveUpToForms = (
  names: NameIndex,
  text: string,
  types: ReadonlyArray<ReadonlyArray<EntityType> | null> = [null],
): FormResolution => {
  let found: Resolution | null = null
  for (const upTo of ['alias', 'alternation'] as const)
    for (const wanted of types) {
      found = resolveName(names, text, { upTo, ...(wanted === null ? {} : { types: wanted }) })
      if (found.stage !== 'miss') return { found, isForm: upTo !== 'alias' }
    }
  return { found: found ?? resolveName(names, text, { upTo: 'alternation' }), isForm: false }
}
