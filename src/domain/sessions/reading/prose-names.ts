import { dropUnseen, isApostrophe, type NameKey, nameKey, nfc } from '#protocol/atoms.js'
import { readLinesInSlices } from '#src/domain/lore/lines.js'
import { foldLetter as bareCode } from '#src/domain/polish/sounds.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import {
  endOfWords,
  foldCode,
  hashSeed,
  mixHash,
  type ProseForm,
  type ProseForms,
  type ProseWord,
  wordFrom,
} from './prose.js'
import type { Candidates, Spelling, Spellings } from './spellings.js'

/**
 * Adds to `found` the spellings in a prose text and the texts that are forms of one: the longest at each word, then
 * continues after it. Fences and addresses are skipped; the text of a link is not. Whose a form is, the resolver
 * says.
 */
export const collectNamesInSlices = function* (
  prose: string,
  { byFirst, forms }: Spellings,
  found: Set<NameKey>,
): Sliced<void> {
  const bytes = bytesOf(foldProse(yield* withoutFences(prose)))
  const units = unitsOf(bytes)
  const text = bytes.toString('utf16le')
  let [at, words] = [0, 0]
  while (at < units.length) {
    const code = units[at] ?? 0
    let low = foldCode(code)
    if (low === 0) {
      at += 1
      continue
    }
    let [end, hash, bareHash] = [at, hashSeed, hashSeed]
    for (; low !== 0; low = end < units.length ? foldCode(units[end] ?? 0) : 0) {
      hash = mixHash(hash, low)
      bareHash = mixHash(bareHash, bareCode(low))
      end += 1
    }
    words += 1
    if (words % wordsPerSlice === 0) yield
    if (isAddress(text, at, end)) {
      at = addressEnd(text, end)
      continue
    }
    const candidates = byFirst.get(hash)
    const mayBeForm = forms !== null && (forms.mayStart(bareHash >>> 0) || isApostrophe(units[end] ?? 0))
    at =
      candidates === undefined && !mayBeForm
        ? end
        : pastMatch(text, { start: at, end, hash }, candidates, mayBeForm ? forms : null, found)
  }
}

/**
 * Whether a prose text has a word with one of these hashes (`hashFolded`, in lower case); the words on both sides of an
 * apostrophe are read together too (Nick’a).
 */
export const hasWordInSlices = function* (prose: string, hashes: ReadonlySet<number>): Sliced<boolean> {
  const units = unitsOf(bytesOf(foldProse(prose)))
  let [bareHash, joinedHash] = [hashSeed, hashSeed]
  for (let at = 0; at <= units.length; at += 1) {
    const code = at < units.length ? (units[at] ?? 0) : 0
    const low = foldCode(code)
    if (at % unitsPerSlice === 0) yield
    if (low !== 0) {
      bareHash = mixHash(bareHash, bareCode(low))
      joinedHash = mixHash(joinedHash, bareCode(low))
    } else {
      if (bareHash !== hashSeed && (hashes.has(bareHash >>> 0) || hashes.has(joinedHash >>> 0))) return true
      bareHash = hashSeed
      if (!isApostrophe(code)) joinedHash = hashSeed
    }
  }
  return false
}

/** What a key has no more: marks that NFC joins to letters, and characters that do not show. */
const folded = /[\u0300-\u036f\p{Default_Ignorable_Code_Point}]/u
/** Prose in the form that its words have in keys, but for case and apostrophes. */
const foldProse = (prose: string): string => (folded.test(prose) ? nfc(dropUnseen(prose)) : prose)
/** Length in UTF-16 code units of the longest piece of prose that is looked up as a name. */
const lengthMax = 1000

/** The bytes of a text in a buffer of their own. */
const bytesOf = (text: string): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(text.length * 2)
  bytes.write(text, 'utf16le')
  return bytes
}

/**
 * Copies the code units of a text into one flat array. A slice of a file is a view of its parent string and
 * four times slower to read.
 */
const unitsOf = ({ buffer, byteOffset, length }: Buffer): Uint16Array =>
  new Uint16Array(buffer, byteOffset, length / 2)

/** A prose with blank lines for its fences. */
const withoutFences = function* (prose: string): Sliced<string> {
  if (!prose.includes('```') && !prose.includes('~~~')) return prose
  const { lines } = yield* readLinesInSlices(prose)
  return lines.map(line => (line._tag === 'Fenced' ? '' : line.raw)).join('\n')
}

const addressEnd = (text: string, at: number): number => {
  let end = at
  while (end < text.length && !/[\s)\]]/u.test(text.charAt(end))) end += 1
  return end
}

const isAddress = (text: string, at: number, end: number): boolean =>
  (end - at === 4 || end - at === 5) && text.startsWith('://', end) && /^https?$/iu.test(text.slice(at, end))

/** The longest spelling that starts at a word, with its end. */
const matchAt = (
  text: string,
  start: number,
  candidates: Candidates,
): { readonly spelling: Spelling; readonly end: number } | null => {
  for (const words of candidates.lengths) {
    const end = endOfWords(text, start, words)
    const spelling =
      end > 0 && end - start < lengthMax ? candidates.byCore.get(nameKey(text.slice(start, end))) : undefined
    if (spelling !== undefined) return { spelling, end }
  }
  return null
}

/** The longest form at a word. A word before an apostrophe may be longer for names than for spellings. */
const formAt = (text: string, word: ProseWord, forms: ProseForms): ProseForm | null =>
  forms.formAt(text, isApostrophe(text.charCodeAt(word.end)) ? wordFrom(text, word.start) : word)

/** Adds the longest spelling or form that starts at a word, and returns the end of it; else that of the word. */
const pastMatch = (
  text: string,
  word: ProseWord,
  candidates: Candidates | undefined,
  forms: ProseForms | null,
  found: Set<NameKey>,
): number => {
  const match = candidates === undefined ? null : matchAt(text, word.start, candidates)
  const form = forms === null ? null : formAt(text, word, forms)
  if (form !== null && form.end > (match?.end ?? word.start)) {
    found.add(form.key)
    return form.end
  }
  if (match === null) return word.end
  found.add(match.spelling.key)
  return match.end
}

/** Words between two pauses: about 2 ms. */
const wordsPerSlice = 1024

/** Characters between two pauses of a look for words: about 1 ms. */
const unitsPerSlice = 1 << 16
