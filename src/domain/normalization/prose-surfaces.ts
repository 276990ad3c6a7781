/** Words of a run of capitalised words, and characters of it; a longer run is no name. */
const wordsMax = 6
const charsMax = 80
const charsMin = 3

/** A run of capitalised words on one line. Linear, because no two parts can match the same character. */
const run = /\p{Lu}[\p{L}\p{M}'’]*(?:[ -]\p{Lu}[\p{L}\p{M}'’]*)*/gu

const blanksBefore = 4

/** Whether the text before a run shows that the run begins no sentence: a letter, a digit or a comma. */
const isWithinSentence = (text: string, at: number): boolean => {
  for (let before = at - 1; before >= 0 && at - before <= blanksBefore; before -= 1) {
    const char = text[before] ?? ''
    if (char === ' ') continue
    return /[\p{L}\p{N},]/u.test(char)
  }
  return false
}

const isName = (surface: string): boolean =>
  surface.length >= charsMin && surface.length <= charsMax && surface.split(/[ -]/u).length <= wordsMax

/**
 * Texts in prose that look like names: runs of capitalised words within a sentence. Of a run that begins a
 * sentence the first word is left out, because any word begins with a capital there.
 */
export const proseSurfaces = function* (prose: string): Generator<string, void> {
  for (const found of prose.matchAll(run)) {
    const [text] = found
    if (isWithinSentence(prose, found.index)) {
      if (isName(text)) yield text
      continue
    }
    const rest = text.indexOf(' ')
    if (rest < 0) continue
    if (isName(text)) yield text
    if (isName(text.slice(rest + 1))) yield text.slice(rest + 1)
  }
}
