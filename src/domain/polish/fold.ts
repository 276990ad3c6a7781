const pairs = 'ąaćcęełlńnóośsźzżz'

/** The character code without its Polish diacritic, by code; codes beyond the table stay as they are. */
const folded = Uint16Array.from({ length: 0x180 }, (_, code) => {
  const at = pairs.indexOf(String.fromCharCode(code))
  return at >= 0 && at % 2 === 0 ? pairs.charCodeAt(at + 1) : code
})

/** A lower-case character code without its Polish diacritic. */
export const foldCode = (code: number): number => folded[code] ?? code

/** The text in lower case without Polish diacritics: `żółw` is `zolw`. */
export const foldDiacritics = (text: string): string =>
  text.replace(/[ąćęłńóśźż]/gu, letter => String.fromCharCode(foldCode(letter.charCodeAt(0))))

/** A hash of the text without Polish diacritics (FNV-1a over its codes). */
export const foldedHash = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash ^= foldCode(text.charCodeAt(at))
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}
