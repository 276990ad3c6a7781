import type { ChangedKind, Withheld } from '#protocol/audit/change.js'
import { namesTopics } from '#src/domain/lore/withheld-tags.js'

/** A field of a thing with one of its values. */
export interface ToldValue {
  readonly field: string
  readonly text: string
  /** What stays where only the rest of the value changed: the value without its days, a name before its number. */
  readonly subject: string
  readonly withheld: Withheld | null
}

/** A thing of the lore as one version of a file tells it. */
export interface Told {
  readonly kind: ChangedKind
  readonly name: string | null
  /** Tells things of one name apart; versions of one thing have the same. */
  readonly key: string
  readonly values: ReadonlyArray<ToldValue>
}

const secretTag = /@(?:klucz_api|prfwebhook|webhook)\b/i

/** Why a text is not told, by what stands in it. */
export const withheldIn = (text: string): Withheld | null =>
  secretTag.test(text) ? 'secret' : namesTopics(text) ? 'restricted' : null

export const valueOf = (
  field: string,
  text: string,
  subject: string = text,
  withheld: Withheld | null = null,
): ToldValue => ({ field, text, subject, withheld: withheld ?? withheldIn(text) })
