import { chain, type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { hasHiddenCharacter, nfc } from '#protocol/atoms.js'
import { type BoundId, bounds } from '#protocol/bounds.js'
import type { SessionMetadata } from '#protocol/lore/session-writes.js'
import { type RefusalOf, refuse, refuseBoundExceeded } from '#protocol/refusal.js'
import { withoutInvisible } from '#src/domain/lore/lines.js'
import { lossFault, textFault, valueText } from '#src/domain/lore/rows/rows.js'

export type Valued<A> = Either<RefusalOf<'ValueRefused' | 'BoundExceeded'>, A>

export const rejectValue = (field: string, detail: string): Either<RefusalOf<'ValueRefused'>, never> =>
  left(refuse('ValueRefused', detail, { field, candidates: [] }))

/** A value on one line: NFC, without blanks around it, never empty. */
export const oneLine = (field: string, text: string): Valued<string> => {
  const value = valueText(text)
  const fault = textFault(value)
  return fault === null ? right(value) : rejectValue(field, `The value of ${field} ${fault}.`)
}

/**
 * A value like `oneLine` that has a letter or digit and no hidden character, which would make it look like
 * another name.
 */
export const nameLine = (field: string, text: string): Valued<string> =>
  hasHiddenCharacter(text) || !/[\p{L}\p{N}]/u.test(text)
    ? pipe(
        oneLine(field, text),
        chain(
          (): Valued<string> =>
            rejectValue(field, `The value of ${field} has an invisible character, or no letter or digit.`),
        ),
      )
    : oneLine(field, text)

/**
 * Prose of several lines: NFC, lines ended by LF, tabs and no other control character. Characters without a width
 * are cut off the ends of its lines, as a reader does.
 */
export const proseValue = (field: string, text: string): Valued<string> => {
  const lines = nfc(text).replaceAll('\r\n', '\n')
  if (forging.test(lines))
    return rejectValue(field, 'Send prose without control characters other than line ends and tabs.')
  const loss = lossFault(lines)
  return loss === null
    ? right(lines.split('\n').map(withoutInvisible).join('\n').trim())
    : rejectValue(field, `The value of ${field} ${loss}.`)
}

/** Applies a rule to each item, with the path of the item; returns the first refusal. */
export const eachValue = <A, B>(
  field: string,
  items: ReadonlyArray<A>,
  rule: (field: string, item: A) => Valued<B>,
): Valued<ReadonlyArray<B>> => {
  const made: Array<B> = []
  for (const [at, item] of items.entries()) {
    const one = rule(`${field}[${at}]`, item)
    if (isLeft(one)) return one
    made.push(one.right)
  }
  return right(made)
}

/**
 * Refuses a request that is too large for one turn of the event loop to parse, compare with the index, render
 * and parse again.
 */
export const withinLimits = <A extends Bounded>(asked: A): Valued<A> => {
  const { narrators = [], content, metadata = {} } = asked
  const prose = content ?? ''
  const measured: ReadonlyArray<readonly [bound: BoundId, actual: number, field: string]> = [
    ['proseChars', prose.length, 'content'],
    ['proseLines', linesOf(prose), 'content'],
    ['sessionNarrators', narrators.length, 'narrators'],
    ['sessionItems', itemsOf(metadata), 'metadata'],
  ]
  const over = measured.find(([bound, actual]) => actual > bounds[bound].limit)
  return over === undefined ? right(asked) : left(refuseBoundExceeded(...over, elsewhere))
}

const forging = /(?![\n\t])\p{Cc}|[\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** The parts of a request that have limits, checked before anything reads them. */
interface Bounded {
  readonly narrators?: ReadonlyArray<string> | undefined
  readonly content?: string | null | undefined
  readonly metadata?: SessionMetadata | undefined
}

/** Items of all blocks together, including those below an item. */
const itemsOf = ({ changes, preserved, ...flat }: SessionMetadata): number => {
  const lists = Object.values(flat).reduce((sum, list) => sum + (list?.length ?? 0), 0)
  const tags = (changes ?? []).reduce((sum, one) => sum + 1 + one.tags.length, 0)
  return lists + tags + (preserved ?? []).reduce((sum, one) => sum + 1 + one.items.length, 0)
}

const linesOf = (text: string): number => {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

const elsewhere = 'Write the rest as another session.'
