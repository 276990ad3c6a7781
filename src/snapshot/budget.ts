import { perValue } from '#src/domain/caching/per-value.js'
import { type FileRole, roleOf } from '#src/domain/lore/layout.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'

/** What the files of one tree may hold together (D65). */
export interface Budget {
  /** Bytes of text. */
  readonly textBytes: number
  /** Rows as `rowsIn` counts them. */
  readonly rows: number
}

export const treeBudget: Budget = { textBytes: 2 * 1024 ** 3, rows: 5_000_000 }

const countOf = (text: string, mark: string): number => {
  let count = 0
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count += 1
  return count
}

/**
 * The rows of a text as the budget counts them: its lines, and the parts of comma lists, for a reader makes a value of
 * each.
 */
const rowsOfText = (text: string): number => 1 + countOf(text, '\n') + countOf(text, ',')

/** The rows of a file; counted once for each. */
export const rowsIn = perValue((file: SourceFile): number => rowsOfText(file.text))

const ranks: Partial<Readonly<Record<FileRole, number>>> = {
  contributors: 0,
  roles: 0,
  grants: 0,
  bindings: 0,
  'fleet-keys': 0,
  format: 0,
  config: 0,
  batches: 1,
  'close-ledger': 1,
  'session-hashes': 1,
  index: 2,
}

const lastRank = 3

/** A file of a tree, before it is read. `bytes` is NaN where the size is unknown. */
interface Weighed {
  readonly path: string
  readonly bytes: number
}

/** How early a file is taken: those of identity, then those of the daemon, the index, everything else. */
const rankOf = perValue((file: Weighed): number => ranks[roleOf(file.path)] ?? lastRank)

/** Zero where the size is unknown: its object is lost, and the read fails the load. */
export const bytesOf = ({ bytes }: Weighed): number => (Number.isNaN(bytes) ? 0 : bytes)

/**
 * The order in which files take of the budget: by rank, in a rank from the smallest to the largest, then by path. A
 * function of the tree, so that all hosts read the same files; the largest are left out first, for what a community
 * writes is small.
 */
export const inBudgetOrder = <A extends Weighed>(files: ReadonlyArray<A>): ReadonlyArray<A> =>
  [...files].sort(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      bytesOf(one) - bytesOf(other) ||
      (one.path < other.path ? -1 : one.path > other.path ? 1 : 0),
  )

/** Takes of one limit of a budget, file by file in the order of `inBudgetOrder`. */
export interface Spending {
  /** Takes an amount for a file. False: the file is left out, and all after it in its rank. */
  readonly take: (file: Weighed, amount: number) => boolean
  /** Whether the rank of a file still takes any. */
  readonly isOpen: (file: Weighed) => boolean
}

export const spending = (limit: number): Spending => {
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
