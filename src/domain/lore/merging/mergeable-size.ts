import type { Three } from './conflict.js'

/** How large a file may be that is merged by unit: a larger one is kept whole, for each side. */
export interface MergeCeiling {
  /** Lines of one text; no text has more units. */
  readonly linesMax: number
  /** UTF-16 units of one text. */
  readonly charsMax: number
}

export const mergeCeiling: MergeCeiling = { linesMax: 100_000, charsMax: 16 * 1024 * 1024 }

const hasMoreLines = (text: string, linesMax: number): boolean => {
  let count = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0 && count <= linesMax; at = text.indexOf('\n', at + 1)) count += 1
  return count > linesMax
}

/** Whether one of the three texts is above the ceiling. */
export const isAboveCeiling = (
  { base, ours, theirs }: Three<string>,
  { linesMax, charsMax }: MergeCeiling,
): boolean => [base, ours, theirs].some(text => text.length > charsMax || hasMoreLines(text, linesMax))
