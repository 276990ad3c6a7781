import { dropLongMarks } from '#protocol/atoms/nfc.js'

const mayHoldTopics = /tema|trigger/iu

/** Characters within a word that a reader does not see: a soft hyphen, joiners, marks of direction. */
const unseen = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/u
const allUnseen = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+/gu

/** The text without characters that a reader does not see. */
export const dropUnseen = (text: string): string => (unseen.test(text) ? text.replace(allUnseen, '') : text)

/**
 * A cheap first test whether a text can hold restricted topics. Most texts cannot and need no further test.
 */
export const mayNameTopics = (text: string): boolean => mayHoldTopics.test(dropUnseen(text))

/** The letters of a text with the few signs that show where a title begins. */
const letters = (text: string): string =>
  dropLongMarks(text)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}@:.,;]+/gu, '')

/** The beginning of `tematy zastrzeżone` and of its near spellings. */
const stem = /tematy?zastrz/u
/**
 * A title at the beginning of a line, of a value or of a sentence; a tag of topics; the bare tag of a Gracz.
 */
const heading = /(?:^|[@:.;])tematy?zastrz|@(?:tematy|trigger)(?![^:])|^(?:tematy|trigger):/u

/**
 * Whether a line reads as restricted topics: a row of them, their title in any markup, or a sentence that
 * names them and continues after a colon. Ignores case, blanks, hyphens and markup.
 */
export const isTopicLine = (line: string): boolean => {
  if (!mayNameTopics(line)) return false
  const text = letters(line)
  if (heading.test(text)) return true
  const at = text.search(stem)
  return at >= 0 && text.includes(':', at)
}

/**
 * Whether a line begins with the title of the section, in any markup: `## …`, `__…__`, `**… (18+):**`, or
 * bare.
 */
export const isTopicTitle = (line: string): boolean =>
  mayNameTopics(line) && /^tematy?zastrz/u.test(letters(line))

const splitWords = /tematy?[\s_-]{1,9}zastrze/iu

/**
 * A value without the restricted topics in it; null when nothing of it may be shown. A value does not keep
 * the indent of its lines, so everything from the first line of topics on is removed.
 */
export const removeTopics = (value: string): string | null => {
  if (!mayNameTopics(value)) return value
  const lines = value.split('\n')
  const first = lines.findIndex(isTopicLine)
  if (first === 0) return null
  const kept = first < 0 ? value : lines.slice(0, first).join('\n').trim()
  // A title that is broken over two lines is in neither of them.
  return kept === '' || (kept.includes('\n') && splitWords.test(dropUnseen(kept))) ? null : kept
}
