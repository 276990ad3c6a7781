import { isApostrophe } from '#protocol/atoms.js'
import { foldCode, hashSeed, mixHash } from './words.js'

/** A word of prose as names have words: letters and digits, with apostrophes inside. `end` is exclusive. */
export interface ProseWord {
  readonly start: number
  readonly end: number
  /** Of the word in lower case. */
  readonly hash: number
}

const apostrophe = 0x27
const blank = 0x20
const lineBreak = 0x0a
/** Blanks, hyphens and quotes: what parts the words of one name. */
const gapSigns = new Set(Array.from(' \t\u00a0\n\r-‐‑‒–„”“"«»', sign => sign.charCodeAt(0)))
const gapMax = 4

/** The code of a character inside a word, in lower case; 0 where the word ends. */
const wordCode = (text: string, at: number): number => {
  if (at >= text.length) return 0
  const code = text.charCodeAt(at)
  const low = foldCode(code)
  if (low !== 0 || !isApostrophe(code)) return low
  return at + 1 < text.length && foldCode(text.charCodeAt(at + 1)) !== 0 ? apostrophe : 0
}

/** The word that starts at `start`. */
export const wordFrom = (text: string, start: number): ProseWord => {
  let [end, hash] = [start, hashSeed]
  for (let low = wordCode(text, end); low !== 0; low = wordCode(text, end)) {
    hash = mixHash(hash, low)
    end += 1
  }
  return { start, end, hash }
}

/** The text of a word in lower case, with one kind of apostrophe. */
export const textOfWord = (text: string, { start, end }: ProseWord): string => {
  const codes: Array<number> = []
  for (let at = start; at < end; at += 1) codes.push(wordCode(text, at))
  return String.fromCharCode(...codes)
}

/** Whether a word is the given text in lower case. */
export const isWord = (text: string, { start, end }: ProseWord, word: string): boolean => {
  if (end - start !== word.length) return false
  for (let at = start; at < end; at += 1) if (wordCode(text, at) !== word.charCodeAt(at - start)) return false
  return true
}

/** The start of the next word of a name: after blanks, hyphens and quotes, and one line break at most; else -1. */
export const nextWordStart = (text: string, end: number): number => {
  let broken = 0
  for (let at = end; at < text.length && at - end <= gapMax; at += 1) {
    const code = text.charCodeAt(at)
    if (foldCode(code) !== 0) return at > end ? at : -1
    if (code === blank) continue
    if (!gapSigns.has(code)) return -1
    if (code === lineBreak) broken += 1
    if (broken > 1) return -1
  }
  return -1
}

/** Whether a range of a text has a capital letter. */
export const hasCapital = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    const low = foldCode(code)
    if (low !== 0 && low !== code) return true
  }
  return false
}
