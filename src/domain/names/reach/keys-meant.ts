import { type NameKey, nameKey } from '#protocol/atoms.js'
import type { NameIndex } from '../resolution.js'
import { resolveName } from '../resolve.js'

/**
 * The key of a name, and those of the headings that it means by any stage but misspellings: what the filter of a
 * list compares with names as written (docs/spec/names.md#reach).
 */
export const keysMeant = (names: NameIndex, text: string): ReadonlySet<NameKey> =>
  new Set([nameKey(text), ...resolveName(names, text, { upTo: 'lemma' }).candidates.map(one => one.key)])
