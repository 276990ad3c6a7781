import type { Sliced } from '#src/domain/slicing/sliced.js'

/** Lines visited between two yields. */
const linesPerSlice = 256

/**
 * Visits each line of a text, without its newline and numbered from 1, until `visit` returns false. It makes
 * no list of the lines, so that a file of millions of short lines takes no memory.
 */
export const visitLinesInSlices = function* (
  text: string,
  visit: (raw: string, line: number) => boolean,
): Sliced<void> {
  let line = 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    line += 1
    if (!visit(text.slice(start, text[end - 1] === '\r' ? end - 1 : end), line)) return
    start = end + 1
    if (line % linesPerSlice === 0) yield
  }
}
