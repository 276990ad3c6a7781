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

/** A run of capitalised words. Of one that begins a sentence the name may be what follows its first word. */
export type ProseRun = readonly [text: string, other?: string]

/**
 * Runs of capitalised words that look like names. A single word that begins a sentence is none, because any word
 * begins with a capital there.
 */
export const proseRuns = function* (prose: string): Generator<ProseRun, void> {
  for (const found of prose.matchAll(run)) {
    const [text] = found
    if (isWithinSentence(prose, found.index)) {
      if (isName(text)) yield [text]
      continue
    }
    const rest = text.indexOf(' ')
    if (rest < 0) continue
    const [first, other] = [text, text.slice(rest + 1)].filter(isName)
    if (first !== undefined) yield other === undefined ? [first] : [first, other]
  }
}
