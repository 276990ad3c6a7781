import type { Line, PackedObjects } from '#src/ports/records/record-log.js'

/** What the lines of a segment say; `goodBytes` ends with the last newline. */
export interface Scan {
  readonly next: number
  readonly goodBytes: number
  readonly corruptLines: number
  /** When the first line was written, as it says; null where there is none. */
  readonly firstAtMs: number | null
}

const newline = 0x0a
const head = /^\{"seq":(\d{1,16}),"at":"([^"]{1,30})"/

/** The number that a line begins with; null for a line that the log did not write so. */
export const seqOf = (text: string): number | null => {
  const found = head.exec(text)
  return found === null ? null : Number(found[1])
}

const atMsOf = (text: string): number | null => {
  const atMs = Date.parse(head.exec(text)?.[2] ?? '')
  return Number.isNaN(atMs) ? null : atMs
}

/** The record of a whole line; null where it is none. */
export const lineOf = (text: string): Line | null => {
  const seq = seqOf(text)
  if (seq === null) return null
  try {
    JSON.parse(text)
    return { seq, text }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** The whole lines of some bytes, with the offset behind each; what follows the last newline is no line. */
export const textsIn = function* (bytes: Buffer): Generator<{ readonly text: string; readonly end: number }> {
  let start = 0
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    yield { text: bytes.toString('utf8', start, end), end: end + 1 }
    start = end + 1
  }
}

/**
 * Reads a segment whose first line should have the number `first`. A whole line that is no record counts for one
 * number, which is not given again (S27); a record whose number is not above those before it is none.
 */
export const scan = (bytes: Buffer, first: number): Scan => {
  let next = first
  let least = first
  let goodBytes = 0
  let corruptLines = 0
  let firstAtMs: number | null = null
  for (const { text, end } of textsIn(bytes)) {
    const line = lineOf(text)
    if (goodBytes === 0) firstAtMs = atMsOf(text)
    goodBytes = end
    if (line !== null && line.seq >= least) {
      least = line.seq + 1
      next = least
    } else {
      corruptLines += 1
      next += 1
    }
  }
  return { next, goodBytes, corruptLines, firstAtMs }
}

/** An object's JSON with its number in front. */
export const numbered = (seq: number, object: string): Line => ({
  seq,
  text: `{"seq":${seq},${object.slice(1)}`,
})

/** The lines of objects, each with its number in front and its newline. */
export const packedLines = (first: number, { bytes, ends }: PackedObjects): Buffer => {
  const headBytesMax = `{"seq":${first + ends.length},`.length
  // In place of its opening brace an object gets the head, and its newline is added.
  const lines = Buffer.allocUnsafe(bytes.length + ends.length * headBytesMax)
  let [at, start] = [0, 0]
  for (const [nth, end] of ends.entries()) {
    at += lines.write(`{"seq":${first + nth},`, at, 'latin1')
    at += bytes.copy(lines, at, start + 1, end)
    lines[at] = newline
    at += 1
    start = end
  }
  return lines.subarray(0, at)
}
