import { isApostrophe } from '#protocol/atoms.js'

/** A word of a text: a run of letters, marks and digits; `end` is exclusive. */
export interface WordRange {
  readonly start: number
  readonly end: number
}

const letter = /[\p{L}\p{M}\p{N}]/u
const latinMax = 0x250

const foldCharacter = (code: number): number => {
  const text = String.fromCharCode(code)
  const low = text.toLowerCase()
  return letter.test(text) && !isApostrophe(code) ? (low.length === 1 ? low.charCodeAt(0) : code) : 0
}

const latin = Uint16Array.from({ length: latinMax }, (_, code) => foldCharacter(code))

/** The folded code of a letter, mark or digit; 0 for anything else, and for a letter that looks like an apostrophe. */
export const foldCode = (code: number): number => (code < latinMax ? (latin[code] ?? 0) : foldCharacter(code))

export const hashSeed = 0x811c9dc5

/** Adds one folded code to a hash. */
export const mixHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)

/**
 * The hash of a range of a text, without case. Equal words have equal hashes; equal hashes must be verified.
 */
export const hashOf = (text: string, start: number, end: number): number => {
  let hash = hashSeed
  for (let at = start; at < end; at += 1) hash = mixHash(hash, foldCode(text.charCodeAt(at)))
  return hash
}

/** The end of the word that starts at `start`, exclusive. */
export const wordEnd = (text: string, start: number): number => {
  let at = start
  while (at < text.length && foldCode(text.charCodeAt(at)) !== 0) at += 1
  return at
}

export const wordRanges = (text: string): ReadonlyArray<WordRange> => {
  const words: Array<WordRange> = []
  for (let at = 0; at < text.length; at += 1) {
    const end = wordEnd(text, at)
    if (end === at) continue
    words.push({ start: at, end })
    at = end
  }
  return words
}

/** The end of the `count`th word from the one at `start`; -1 when the text has fewer. */
export const endOfWords = (text: string, start: number, count: number): number => {
  let at = start
  let end = -1
  for (let nth = 0; nth < count; nth += 1) {
    while (at < text.length && foldCode(text.charCodeAt(at)) === 0) at += 1
    end = wordEnd(text, at)
    if (end === at) return -1
    at = end
  }
  return end
}
