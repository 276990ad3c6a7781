import { perValue } from '#src/domain/caching/per-value.js'

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

const stepChars = 512

/** A text that is kept while its file is, so that its marks are made once. */
interface Texted {
  readonly text: string
}

/** Places about `stepChars` apart: the UTF-16 units and the bytes before each, one pair after the other. */
const marksOf = perValue(({ text }: Texted): Uint32Array => {
  const marks: Array<number> = []
  let [at, bytes] = [0, 0]
  while (at < text.length) {
    marks.push(at, bytes)
    let next = Math.min(text.length, at + stepChars)
    if (next < text.length && isLowSurrogate(text.charCodeAt(next))) next += 1
    bytes += Buffer.byteLength(text.slice(at, next))
    at = next
  }
  return Uint32Array.from(marks)
})

/** The index in `marks` of the last pair at or before a byte. */
const findMark = (marks: Uint32Array, byte: number): number => {
  let [low, high] = [0, marks.length / 2]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((marks[2 * middle + 1] ?? 0) <= byte) low = middle
    else high = middle
  }
  return 2 * low
}

/** The bytes of the UTF-8 form of a character that starts at `at`; half of a pair alone is written as U+FFFD. */
const bytesAt = (text: string, at: number): number => {
  const code = text.codePointAt(at) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** The place of a byte in UTF-16 units; null where the text has fewer bytes. */
const findByte = (of: Texted, byte: number): number | null => {
  const { text } = of
  const marks = marksOf(of)
  const mark = findMark(marks, byte)
  let [at, before] = [marks[mark] ?? 0, marks[mark + 1] ?? 0]
  while (at < text.length && before < byte) {
    const bytes = bytesAt(text, at)
    before += bytes
    at += bytes === 4 ? 2 : 1
  }
  return before < byte ? null : at
}

/**
 * The text in a range of the bytes of its UTF-8 form, `to` exclusive; null where the text ends before. Keeps marks of
 * about 1.5 % of the text with the value, so that the bytes of the whole text are counted once.
 */
export const sliceBytes = (of: Texted, from: number, to: number): string | null => {
  const [start, end] = [findByte(of, from), findByte(of, to)]
  return start === null || end === null ? null : of.text.slice(start, end)
}
