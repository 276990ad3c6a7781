import type { RepoPath } from '#protocol/atoms.js'
import type { Refusal } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { hiddenLinesOf } from './hidden-lines.js'

/** A line of the lore, and the answers to those who may read it and to those who may not. */
interface Quote {
  readonly file: RepoPath
  readonly line: number
  readonly shown: Refusal
  readonly hidden: Refusal
}

interface Quoting {
  readonly quotes: Quote
}

/**
 * A refusal that quotes a line of the lore. `hidden` is the answer to a caller who may not read that line and
 * must quote nothing but the request.
 */
export const quoteLine = <R extends Refusal>(
  shown: R,
  hidden: Refusal,
  { file, line }: Pick<Quote, 'file' | 'line'>,
): R => ({ ...shown, quotes: { file, line, shown, hidden } })

/** A refusal that quotes a block: its name, its type, or a row that `GET` serves with it. */
export const quoteBlock = <R extends Refusal>(shown: R, hidden: Refusal, { file, line }: Entity): R =>
  quoteLine(shown, hidden, { file, line })

const isQuoting = (refusal: Refusal): refusal is Refusal & Quoting => 'quotes' in refusal

/** The refusal as its caller may read it (docs/spec/security.md#lines-by-sight). */
export const hideQuotes = (
  refusal: Refusal,
  { files }: Pick<Snapshot, 'files'>,
  caller: Pick<Caller, 'holds' | 'view'>,
): Refusal => {
  if (!isQuoting(refusal)) return refusal
  const { file: path, line, shown, hidden } = refusal.quotes
  const file = files.get(path)
  return file === undefined || hiddenLinesOf(file, caller).has(line) ? hidden : shown
}
