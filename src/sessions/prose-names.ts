import { nameKey } from '#protocol/atoms/name.js'
import type { Entity } from '#src/entities/entity.js'
import type { Spelling, Spellings } from './spellings.js'
import { endOfWords, folded, hashOf, wordEnd } from './words.js'

const combining = /[\u0300-\u036f]/u
const newline = 0x0a
const backtick = 0x60

/** Whether only blanks stand between the start of the line and `at`. */
const beginsLine = (text: string, at: number): boolean => {
  let before = at - 1
  while (before >= 0 && (text.charCodeAt(before) === 0x20 || text.charCodeAt(before) === 0x09)) before -= 1
  return before < 0 || text.charCodeAt(before) === newline
}

/** Past a fence that starts at `at`, or to the end of the text when nothing closes it. */
const pastFence = (text: string, at: number): number => {
  let from = text.indexOf('\n', at)
  while (from >= 0) {
    const close = text.indexOf('```', from)
    if (close < 0) return text.length
    if (beginsLine(text, close)) return close + 3
    from = close + 3
  }
  return text.length
}

const addressEnd = (text: string, at: number): number => {
  let end = at
  while (end < text.length && !/[\s)\]]/u.test(text.charAt(end))) end += 1
  return end
}

const isAddress = (text: string, at: number, end: number): boolean =>
  text.startsWith('://', end) && /^https?$/iu.test(text.slice(at, end))

/** The longest spelling that starts at a word, with where it ends. */
const matchAt = (
  text: string,
  start: number,
  candidates: ReadonlyArray<Spelling>,
): { readonly spelling: Spelling; readonly end: number } | null => {
  for (const spelling of candidates) {
    const end = endOfWords(text, start, spelling.words)
    if (end > 0 && end - start < spelling.core.length * 2 + 8)
      if (nameKey(text.slice(start, end)) === spelling.core) return { spelling, end }
  }
  return null
}

/**
 * Adds to `found` whom a prose names: the longest indexed spelling at each word, then on from its end. Fences and
 * addresses name nobody; the text of a link does.
 */
export const namedInProse = (prose: string, spellings: Spellings, found: Set<Entity>): void => {
  const text = combining.test(prose) ? prose.normalize('NFC') : prose
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (folded(code) === 0) {
      at =
        code === backtick && text.startsWith('```', at) && beginsLine(text, at) ? pastFence(text, at) : at + 1
      continue
    }
    const end = wordEnd(text, at)
    if (isAddress(text, at, end)) {
      at = addressEnd(text, end)
      continue
    }
    const candidates = spellings.get(hashOf(text, at, end))
    const match = candidates === undefined ? null : matchAt(text, at, candidates)
    if (match !== null) for (const owner of match.spelling.owners) found.add(owner)
    at = match?.end ?? end
  }
}
