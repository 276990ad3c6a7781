const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

const stepChars = 1024

/** The bytes of the UTF-8 form of a character that starts at `at`; half of a pair alone is written as U+FFFD. */
const bytesAt = (text: string, at: number): number => {
  const code = text.codePointAt(at) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** Where a text is after so many of its bytes, from a place on. */
interface BytePlace {
  readonly at: number
  readonly byte: number
}

/** The UTF-16 place of a byte, or of the first character behind it; the end of the text where it has fewer bytes. */
const findByte = (text: string, from: BytePlace, byte: number): BytePlace => {
  let { at, byte: before } = from
  while (at < text.length) {
    let next = Math.min(text.length, at + stepChars)
    if (next < text.length && isLowSurrogate(text.charCodeAt(next))) next += 1
    const bytes = Buffer.byteLength(text.slice(at, next))
    if (before + bytes > byte) break
    at = next
    before += bytes
  }
  while (at < text.length && before < byte) {
    const bytes = bytesAt(text, at)
    before += bytes
    at += bytes === 4 ? 2 : 1
  }
  return { at, byte: before }
}

/**
 * The text in a range of the bytes of its UTF-8 form, `to` exclusive; null where the text ends before. The bytes of the whole
 * text are not made.
 */
export const sliceBytes = (text: string, from: number, to: number): string | null => {
  const start = findByte(text, { at: 0, byte: 0 }, from)
  const end = findByte(text, start, to)
  return end.byte < to ? null : text.slice(start.at, end.at)
}
