import { right } from 'fp-ts/lib/Either.js'
import type { SessionMetadata } from '#protocol/sessions/session-body.js'
import { type Valued, valueRefused } from './values.js'

/** Items of all blocks of a request together, those below an item counted too. */
export const itemsMax = 500
export const narratorsMax = 20
export const proseCharsMax = 200_000
export const proseLinesMax = 10_000

/** What of a request is bounded before anything reads it. */
export interface Bounded {
  readonly narrators?: ReadonlyArray<string> | undefined
  readonly content?: string | null | undefined
  readonly metadata?: SessionMetadata | undefined
}

const itemsOf = ({ changes, preserved, ...flat }: SessionMetadata): number => {
  const lists = Object.values(flat).reduce((sum, list) => sum + (list?.length ?? 0), 0)
  const tags = (changes ?? []).reduce((sum, one) => sum + 1 + one.tags.length, 0)
  return lists + tags + (preserved ?? []).reduce((sum, one) => sum + 1 + one.items.length, 0)
}

const linesOver = (text: string, most: number): boolean => {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && lines < most; at = text.indexOf('\n', at + 1)) lines += 1
  return lines >= most
}

/** A request that one turn of the loop can read, compare with the index, render and read again. */
export const withinLimits = <A extends Bounded>(asked: A): Valued<A> => {
  const { narrators = [], content, metadata = {} } = asked
  const prose = content ?? ''
  if (prose.length > proseCharsMax || linesOver(prose, proseLinesMax))
    return valueRefused(
      'content',
      `Send at most ${proseCharsMax} characters and ${proseLinesMax} lines; tell the rest as another session.`,
    )
  if (narrators.length > narratorsMax)
    return valueRefused('narrators', `Send at most ${narratorsMax} narrators.`)
  if (itemsOf(metadata) > itemsMax)
    return valueRefused('metadata', `Send at most ${itemsMax} items in all blocks together.`)
  return right(asked)
}
