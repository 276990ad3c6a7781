import { perValue } from '#src/domain/caching/per-value.js'
import { type FileRole, roleOf, type SourceFile } from '#src/domain/lore/layout.js'

/** Limits on the files of one tree together (D65). */
export interface Budget {
  readonly textBytes: number
  /** Rows as `countRowsIn` counts them. */
  readonly rows: number
}

export const treeBudget: Budget = { textBytes: 2 * 1024 ** 3, rows: 5_000_000 }

const countOf = (text: string, mark: string): number => {
  let count = 0
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count += 1
  return count
}

/**
 * Number of rows of a text for the budget: its lines plus the parts of comma lists, because a reader makes
 * one value of each.
 */
const rowsOfText = (text: string): number => 1 + countOf(text, '\n') + countOf(text, ',')

/** Number of rows of a file, computed once per file. */
export const countRowsIn = perValue((file: SourceFile): number => rowsOfText(file.text))

/**
 * Size in bytes; zero when it is unknown. Such a file has no readable object, so reading it fails the load.
 */
export const bytesOf = ({ bytes }: Weighed): number => (Number.isNaN(bytes) ? 0 : bytes)

/**
 * Sorts files in the order in which they use up the budget: by rank, then from the smallest to the largest,
 * then by path. The order depends on the tree alone, so all hosts read the same files. The largest files are
 * left out first, because what a community writes is small.
 */
export const inBudgetOrder = <A extends Weighed>(files: ReadonlyArray<A>): ReadonlyArray<A> =>
  [...files].sort(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      bytesOf(one) - bytesOf(other) ||
      (one.path < other.path ? -1 : one.path > other.path ? 1 : 0),
  )

/** One limit of a budget, used up file by file in the order of `inBudgetOrder`. */
export interface Spending {
  /**
   * Uses up `amount` for a file. Returns false when too little is left: the caller leaves the file out, and
   * every later file of its rank.
   */
  readonly take: (file: Weighed, amount: number) => boolean
  /** Whether files of this rank are still accepted. */
  readonly isOpen: (file: Weighed) => boolean
}

/** A budget of which nothing is spent. */
export const startBudget = (limit: number): Spending => {
  let left = limit
  const closed = new Set<number>()
  const isOpen = (file: Weighed): boolean => !closed.has(rankOf(file))
  return {
    isOpen,
    take: (file, amount) => {
      if (!isOpen(file) || amount > left) {
        closed.add(rankOf(file))
        return false
      }
      left -= amount
      return true
    },
  }
}

const ranks: Partial<Readonly<Record<FileRole, number>>> = {
  contributors: 0,
  roles: 0,
  grants: 0,
  bindings: 0,
  'fleet-keys': 0,
  fleet: 0,
  format: 0,
  config: 0,
  permissions: 1,
  'close-reminders': 1,
  'session-hashes': 1,
  index: 2,
}

const lastRank = 3

/** A file of a tree before it is read. `bytes` is NaN when the size is unknown. */
interface Weighed {
  readonly path: string
  readonly bytes: number
}

/**
 * Rank of a file, lowest first: identity, then the daemon's own files, then the index, then everything else.
 */
const rankOf = perValue((file: Weighed): number => ranks[roleOf(file.path)] ?? lastRank)
