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
  const hasCr = text.includes('\r')
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const cr = hasCr ? text.indexOf('\r', start) : -1
    const end = Math.min(...[newline, cr].map(at => (at < 0 ? text.length : at)))
    line += 1
    if (!visit(text.slice(start, end), line)) return
    start = end + (text.startsWith('\r\n', end) ? 2 : 1)
    if (line % linesPerSlice === 0) yield
  }
}
