import type { Three } from './conflict.js'

/** The largest file that is merged by unit. Of a larger one each side keeps its own version. */
export interface MergeCeiling {
  /** Lines of one text; a text never has more units than lines. */
  readonly linesMax: number
  /** Length of one text in UTF-16 code units. */
  readonly charsMax: number
}

export const mergeCeiling: MergeCeiling = { linesMax: 100_000, charsMax: 16 * 1024 * 1024 }

const hasMoreLines = (text: string, linesMax: number): boolean => {
  let count = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0 && count <= linesMax; at = text.indexOf('\n', at + 1)) count += 1
  return count > linesMax
}

/** Whether one of the three texts exceeds the ceiling. */
export const isAboveCeiling = (
  { base, ours, theirs }: Three<string>,
  { linesMax, charsMax }: MergeCeiling,
): boolean => [base, ours, theirs].some(text => text.length > charsMax || hasMoreLines(text, linesMax))
