import { credentialPatterns } from '#src/domain/redaction/scrub.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/** A longer text is cut into several, so that its best part is a hit and a snippet stays cheap. */
export const sectionCharsMax = 6000

/** How far a credential is followed over the place of a cut. */
const overlapChars = 512
/** No private key is so long: a text that goes on as one is left out. */
const credentialCharsMax = 65_536
const scanChars = 65_536

/** A part of a text, `end` exclusive. */
export interface TextPart {
  readonly start: number
  readonly end: number
}

/** Marks each place at which a cut would divide a credential, whose second half no pattern would find. */
const markCredentials = (text: string): Uint8Array => {
  const marks = new Uint8Array(text.length + 1)
  for (const [mark, pattern] of credentialPatterns)
    if (text.includes(mark))
      for (const { 0: found, index } of text.matchAll(pattern)) marks.fill(1, index + 1, index + found.length)
  return marks
}

const isBlankAt = (text: string, at: number): boolean => /\s/u.test(text[at] ?? '')

/** The last place in the first part of `window` to cut it at: below a line, else after a blank; 0: none. */
const cutOf = (window: string): number => {
  const marks = markCredentials(window)
  for (let at = window.lastIndexOf('\n', sectionCharsMax - 1); at >= sectionCharsMax / 2; ) {
    if (marks[at + 1] === 0) return at + 1
    at = window.lastIndexOf('\n', at - 1)
  }
  for (let at = sectionCharsMax; at > 0; at -= 1) if (marks[at] === 0 && isBlankAt(window, at - 1)) return at
  return 0
}

/**
 * Where the text goes on after a part that cannot be cut: a word that is no prose, such as a picture in base64,
 * or a credential.
 */
const resumeAfter = function* (text: string, start: number, end: number): Sliced<number> {
  const near = text.slice(start, Math.min(end, start + credentialCharsMax))
  const marks = markCredentials(near)
  yield
  for (let at = sectionCharsMax; at < near.length; at += 1)
    if (marks[at + 1] !== 1 && isBlankAt(near, at)) return start + at + 1
  if (marks[near.length - 1] === 1) return end
  for (let at = start + near.length; at < end; at += scanChars) {
    const found = text.slice(at, Math.min(end, at + scanChars)).search(/\s/u)
    if (found >= 0) return at + found + 1
    yield
  }
  return end
}

/**
 * Cuts a text into parts of at most `sectionCharsMax`, at ends of lines where it can, and never in a word or a
 * credential. A part that cannot be cut is left out.
 */
export const cutTextInSlices = function* (
  text: string,
  { start, end }: TextPart,
): Sliced<ReadonlyArray<TextPart>> {
  const parts: Array<TextPart> = []
  let at = start
  while (end - at > sectionCharsMax) {
    const cut = cutOf(text.slice(at, Math.min(end, at + sectionCharsMax + overlapChars)))
    if (cut > 0) parts.push({ start: at, end: at + cut })
    at = cut > 0 ? at + cut : yield* resumeAfter(text, at, end)
    yield
  }
  if (end > at) parts.push({ start: at, end })
  return parts
}
