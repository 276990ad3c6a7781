import type { WinkDocument } from 'wink-bm25-text-search'

/** The rows that have each word, in order. wink has them too, and does not show them. */
export interface WinkPostings {
  /** By the place of a word: where its rows start in `rows`; one more at the end. */
  readonly starts: Uint32Array
  readonly rows: Uint32Array
}

/** Lists the rows of each word. `frequencies` says how many rows have each, by its place. */
export const openPostings = (
  docs: Readonly<Record<number, WinkDocument>>,
  rowCount: number,
  frequencies: ReadonlyArray<number>,
): WinkPostings => {
  const starts = new Uint32Array(frequencies.length + 1)
  for (const [place, count] of frequencies.entries()) starts[place + 1] = (starts[place] ?? 0) + count
  const rows = new Uint32Array(starts[frequencies.length] ?? 0)
  const next = starts.slice()
  for (let row = 0; row < rowCount; row += 1)
    for (const key in docs[row]?.freq) {
      const place = Number(key)
      const at = next[place] ?? 0
      next[place] = at + 1
      rows[at] = row
    }
  return { starts, rows }
}

/** The rows that have a word; none where its place is -1. */
export const rowsWithWord = ({ starts, rows }: WinkPostings, place: number): Uint32Array =>
  place < 0 ? rows.subarray(0, 0) : rows.subarray(starts[place], starts[place + 1])
