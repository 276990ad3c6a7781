/** A place in a text: line and column, both counted from 1. */
export interface JsonPlace {
  readonly line: number
  readonly column: number
}

/** The offset at which each line of a text begins. */
export const findLineStarts = (text: string): ReadonlyArray<number> => {
  const found = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found.push(at + 1)
  return found
}

/** The place of an offset in a text with these starts of lines. */
export const placeIn = (lines: ReadonlyArray<number>, at: number): JsonPlace => {
  let [low, high] = [0, lines.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return { line: low + 1, column: at - (lines[low] ?? 0) + 1 }
}

export const placeAt = (text: string, at: number): JsonPlace => placeIn(findLineStarts(text.slice(0, at)), at)
