import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Conflict, Three } from './conflict.js'
import type { Pairing } from './sequences/alignment.js'

/**
 * How one kind of unit (a block of a file, a row of a block, a line of a ledger) is merged. Units that may
 * match are found by key, never by comparing all pairs, so the work of a merge grows with the number of
 * units.
 */
export interface UnitRules<U> {
  readonly pairs: (base: ReadonlyArray<U>, side: ReadonlyArray<U>) => Sliced<Pairing>
  /** Two units are the same when their keys are equal. */
  readonly key: (unit: U) => string
  /** Merges a unit that both sides still have. */
  readonly join: (units: Three<U>, conflicts: Array<Conflict>) => Sliced<U>
  /** The conflict for a unit that one side changed and the other removed. */
  readonly removed: (changed: U) => Conflict
  /** The key that two added units must share to become one; null for a unit that never does. */
  readonly uniteKey: (unit: U) => string | null
  /** Whether two added units with one `uniteKey` become one. */
  readonly canUnite: (ours: U, theirs: U) => boolean
  /** Merges two added units for which `canUnite` holds. */
  readonly unite: (ours: U, theirs: U, conflicts: Array<Conflict>) => Sliced<U>
  /**
   * The key under which two different added units exclude each other; null when the unit excludes no other.
   */
  readonly clashKey: (unit: U) => string | null
  /** The conflict for two added units with one `clashKey`; null where they say the same after all. */
  readonly clash: (ours: U, theirs: U) => Conflict | null
  /** Whether an added unit stays together with the added ones before it, as lines of prose do. */
  readonly sticks: (unit: U, run: ReadonlyArray<U>) => boolean
  /** Whether an added unit is the same wherever it is placed: true for a row, false for a line of prose. */
  readonly isLoose: (unit: U) => boolean
  /**
   * The order of units that both sides added at one place. It depends on content alone, so that every host
   * gets the same one.
   */
  readonly compare: (one: U, other: U) => number
}
