import { newlineOf } from '#src/domain/lore/lines/lines.js'
import { compareTexts, withoutLineEnd } from '#src/domain/lore/merging/text-order.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Three } from '../conflict.js'
import { alignTexts } from '../sequences/alignment.js'
import { mergeSequence } from '../sequences/sequence.js'
import type { UnitRules } from '../unit-rules.js'

const linesOf = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const rules: UnitRules<string> = {
  pairs: (from, to) => alignTexts(from.map(withoutLineEnd), to.map(withoutLineEnd)),
  key: withoutLineEnd,
  join: function* ({ base, ours, theirs }) {
    return ours === base ? theirs : ours
  },
  removed: () => ({ block: null, row: null, cause: 'removed' }),
  uniteKey: () => null,
  canUnite: () => false,
  unite: function* (ours) {
    return ours
  },
  clashKey: () => null,
  clash: () => ({ block: null, row: null, cause: 'added' }),
  sticks: () => false,
  isLoose: () => true,
  compare: (one, other) => compareTexts(withoutLineEnd(one), withoutLineEnd(other)),
}

/**
 * Merges a ledger of lines (`.jsonl`) as a union: two sides never conflict. Lines that both sides added keep
 * the order of each side; between the two orders the smaller line comes first.
 */
export const mergeLedger = function* ({ base, ours, theirs }: Three<string>): Sliced<string> {
  const three = { base: linesOf(base), ours: linesOf(ours), theirs: linesOf(theirs) }
  yield
  const lines = yield* mergeSequence<string>(three, rules, 'theirs', [])
  const newline = newlineOf(ours + theirs)
  return lines.map(line => (line.endsWith('\n') ? line : `${line}${newline}`)).join('')
}
