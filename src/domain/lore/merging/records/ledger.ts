import { newlineOf } from '#src/domain/lore/lines/lines.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Three } from '../conflict.js'
import { alignTexts } from '../sequences/alignment.js'
import { mergeSequence } from '../sequences/sequence.js'
import type { UnitRules } from '../unit-rules.js'

const linesOf = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const bare = (line: string): string =>
  line.endsWith('\r\n') ? line.slice(0, -2) : line.endsWith('\n') ? line.slice(0, -1) : line

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const rules: UnitRules<string> = {
  pairs: (from, to) => alignTexts(from.map(bare), to.map(bare)),
  key: bare,
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
  compare: (one, other) => inOrder(bare(one), bare(other)),
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
