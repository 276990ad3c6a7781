import { newlineOf } from '#src/domain/lore/lines.js'
import type { Three } from '#src/domain/lore/merging/units.js'
import { alignQuadratically } from './alignment.js'
import { mergeSequenceQuadratically } from './sequence.js'

const linesOf = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const bare = (line: string): string => line.replace(/\r?\n$/, '')

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/**
 * The union of a ledger of lines (`.jsonl`): a line is identified by its text, so two sides never conflict.
 * Lines that both added keep the order of each side; where they meet, the smaller line comes first.
 */
export const mergeLedgerQuadratically = ({ base, ours, theirs }: Three<string>): string => {
  const lines = mergeSequenceQuadratically<string>(
    { base: linesOf(base), ours: linesOf(ours), theirs: linesOf(theirs) },
    {
      pairs: (from, to) => alignQuadratically(from.map(bare), to.map(bare)),
      isSame: (one, other) => bare(one) === bare(other),
      join: units => (units.ours === units.base ? units.theirs : units.ours),
      removed: () => ({ block: null, row: null, cause: 'removed' }),
      unite: () => null,
      clash: () => null,
      sticks: () => false,
      isLoose: () => true,
      compare: (one, other) => inOrder(bare(one), bare(other)),
    },
    'theirs',
    [],
  )
  const newline = newlineOf(ours + theirs)
  return lines.map(line => (line.endsWith('\n') ? line : `${line}${newline}`)).join('')
}
