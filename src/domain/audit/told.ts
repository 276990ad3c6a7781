import type { ChangedKind, Withheld } from '#protocol/audit.js'
import { namesTopics } from '#src/domain/lore/withheld-tags.js'

/** A field of an item with one of its values. */
export interface ToldValue {
  readonly field: string
  readonly text: string
  /**
   * The part that stays when only the rest of the value changes: the value without its days, a name before
   * its number.
   */
  readonly subject: string
  readonly withheld: Withheld | null
}

/** An item of the lore in one version of a file. */
export interface Told {
  readonly kind: ChangedKind
  readonly name: string | null
  /** Distinguishes items of one name; versions of one item have the same key. */
  readonly key: string
  readonly values: ReadonlyArray<ToldValue>
}

const secretTag = /@(?:klucz_api|prfwebhook|webhook)\b/i

/** Why a text is withheld, by its content; null when it is not. */
export const secrecyOfText = (text: string): Withheld | null =>
  secretTag.test(text) ? 'secret' : namesTopics(text) ? 'restricted' : null

export const describeValue = (
  field: string,
  text: string,
  subject: string = text,
  withheld: Withheld | null = null,
): ToldValue => ({ field, text, subject, withheld: withheld ?? secrecyOfText(text) })
