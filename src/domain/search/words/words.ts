import { dropLongMarks } from '#protocol/atoms.js'
import { findWordEnd, findWordStart } from './word-places.js'

/** A word of a text, in NFC and lower case, with its place in UTF-16 units. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
  /** It begins with a capital letter and no sentence begins with it: a proper noun. */
  readonly isProper: boolean
}

/** Whether a sentence, a line or a quotation begins at `start`. */
const beginsSentence = (text: string, start: number): boolean => {
  let at = start - 1
  while (at >= 0 && (text[at] === ' ' || text[at] === '\t')) at -= 1
  return at < 0 || !/[\p{L}\p{N},;)]/u.test(text[at] ?? '')
}

/** The words of a text in its order: letters and digits, with an apostrophe inside; a hyphen separates. */
export const wordsOf = function* (text: string): Generator<Word, void> {
  let end = 0
  for (let start = findWordStart(text, 0); start < text.length; start = findWordStart(text, end)) {
    end = findWordEnd(text, start)
    const found = text.slice(start, end)
    const lower = found.toLowerCase()
    yield {
      text: dropLongMarks(lower).normalize('NFC'),
      start,
      end,
      isProper: lower !== found && !beginsSentence(text, start),
    }
  }
}

/** Words that nearly every text has. Neither an index nor a query has them. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a aby albo ale ani bez bo by być był była było były będzie co czy dla do gdy gdzie go i ich ile im ja jak ' +
    'jako je jego jej jemu jest jeszcze jeśli już każdy kiedy która które którego której którą który którzy lub ma ' +
    'mi mnie mu my na nad nam nas nie niego niej nich nim no o od on ona one oni ono oraz po pod poza przed przez ' +
    'przy są się swoje ta tak także tam te tego tej ten to tu ty tych tylko tym u w we wy z za ze że żeby'
  ).split(' '),
)

export const isStopWord = (word: string): boolean => stopWords.has(word)
