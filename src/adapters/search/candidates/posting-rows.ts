import type { Statement } from '../../runtime/sqlite.js'

/** Reads the rows of tokens, the newest first. */
export interface PostingRows {
  /** The newest rows of a token that are not above `high`, at most `pieceLength`. Remembered. */
  readonly pieceOf: (token: string, high: number) => Int32Array
  /** The newest rows that match an expression, from `low` to `high`. Not remembered. */
  readonly select: (expression: string, low: number, high: number, limit: number) => Int32Array
}

/** How many rows are remembered: 8 MB. */
const rememberedMax = 2_000_000

export const rowsStatement =
  'SELECT rowid FROM posting WHERE posting MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?'

const toRows = (column: ReadonlyArray<unknown>): Int32Array => {
  const rows = new Int32Array(column.length)
  for (let at = 0; at < rows.length; at += 1) rows[at] = Number(column[at])
  return rows
}

/**
 * Reads by a prepared `rowsStatement`. The rows of a token never change in an open index, so the pieces that were
 * asked for last stay in memory: SQLite takes milliseconds for ten thousand rows.
 */
export const openPostingRows = (scan: Statement, pieceLength: number, max = rememberedMax): PostingRows => {
  /** In the order of their last use. */
  const known = new Map<string, Int32Array>()
  let remembered = 0
  const remember = (key: string, rows: Int32Array): void => {
    known.set(key, rows)
    remembered += rows.length
    for (const [oldest, { length }] of known) {
      if (remembered <= max) return
      known.delete(oldest)
      remembered -= length
    }
  }
  return {
    pieceOf: (token, high) => {
      const key = `${token} ${high}`
      const found = known.get(key)
      if (found !== undefined) {
        known.delete(key)
        known.set(key, found)
        return found
      }
      const rows = toRows(scan.column(`"${token}"`, 0, high, pieceLength))
      remember(key, rows)
      return rows
    },
    select: (expression, low, high, limit) => toRows(scan.column(expression, low, high, limit)),
  }
}
