import type { Sliced } from '#src/domain/slicing/sliced.js'

/** Limit on the cells of one table, which is the work of one call: 16 MB. */
export const cellsMax = 4_000_000

const cellsPerSlice = 200_000

/** A range of indexes in each of the two lists, the end exclusive. */
export interface Gap {
  readonly base: readonly [number, number]
  readonly side: readonly [number, number]
}

/** The size of the table that pairing the gap needs. */
export const cellsOf = ({ base, side }: Gap): number => (base[1] - base[0]) * (side[1] - side[0])

/**
 * Calls `pair` for a longest common subsequence of the gap. Builds a table of `cellsOf(gap)` cells; the
 * caller keeps it within `cellsMax`.
 */
export const pairLongest = function* (
  base: ReadonlyArray<number>,
  side: ReadonlyArray<number>,
  gap: Gap,
  pair: (place: number, partner: number) => void,
): Sliced<void> {
  const [rows, columns] = [gap.base[1] - gap.base[0], gap.side[1] - gap.side[0]]
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  const across = Uint32Array.from(side.slice(gap.side[0], gap.side[1]))
  let cells = 0
  for (let row = rows - 1; row >= 0; row -= 1) {
    const unit = base[gap.base[0] + row]
    const [here, below] = [row * width, (row + 1) * width]
    for (let column = columns - 1; column >= 0; column -= 1) {
      const [down, right] = [lengths[below + column] ?? 0, lengths[here + column + 1] ?? 0]
      lengths[here + column] =
        across[column] === unit ? (lengths[below + column + 1] ?? 0) + 1 : down > right ? down : right
    }
    cells += columns
    if (cells >= cellsPerSlice) {
      cells = 0
      yield
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; )
    if (base[gap.base[0] + row] === across[column]) pair(gap.base[0] + row++, gap.side[0] + column++)
    else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)) row += 1
    else column += 1
}
