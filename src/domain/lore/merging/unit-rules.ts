import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Conflict, Three } from './conflict.js'
import type { Pairing } from './sequences/alignment.js'

/**
 * How one kind of unit (a block of a file, a row of a block, a line of a ledger) is merged. Units that may meet are
 * found by their keys, never by trying each pair: the work of a merge then grows with the number of units.
 */
export interface UnitRules<U> {
  readonly pairs: (base: ReadonlyArray<U>, side: ReadonlyArray<U>) => Sliced<Pairing>
  /** Two units are the same where their keys are equal. */
  readonly key: (unit: U) => string
  /** The merge of a unit that both sides still have. */
  readonly join: (units: Three<U>, conflicts: Array<Conflict>) => Sliced<U>
  /** The conflict of a unit that one side changed and the other removed. */
  readonly removed: (changed: U) => Conflict
  /** What two added units have in common that may become one; null for a unit that never does. */
  readonly uniteKey: (unit: U) => string | null
  /** Whether two added units of one `uniteKey` become one. */
  readonly canUnite: (ours: U, theirs: U) => boolean
  /** The merge of two added units for which `canUnite` holds. */
  readonly unite: (ours: U, theirs: U) => Sliced<U>
  /** What two different added units have in common of which one alone may stand; null: it stands beside any. */
  readonly clashKey: (unit: U) => string | null
  /** The conflict of two added units of one `clashKey`. */
  readonly clash: (ours: U) => Conflict
  /** Whether an added unit is kept together with the added ones before it, as lines of prose are. */
  readonly sticks: (unit: U, run: ReadonlyArray<U>) => boolean
  /** Whether an added unit is the same one wherever it stands, as a row is and a line of prose is not. */
  readonly isLoose: (unit: U) => boolean
  /** The order of what both sides added at one place: by content alone, so that every host finds the same one. */
  readonly compare: (one: U, other: U) => number
}
