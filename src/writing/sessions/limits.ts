import { left, right } from 'fp-ts/lib/Either.js'
import { type BoundId, bounds } from '#protocol/bounds.js'
import { refuseBoundExceeded } from '#protocol/refusal.js'
import type { SessionMetadata } from '#protocol/session-writes.js'
import type { Valued } from './values.js'

/** The parts of a request that have limits, checked before anything reads them. */
export interface Bounded {
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
