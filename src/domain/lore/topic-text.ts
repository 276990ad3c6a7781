const mayHoldTopics = /tema|trigger/iu

/** Cheap: whether a text can hold topics at all. Most texts of the lore cannot, and are looked at no further. */
export const mayNameTopics = (text: string): boolean => mayHoldTopics.test(text)

/** The letters of a text with the few signs that tell where a title stands in it. */
const letters = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}@:.,;]+/gu, '')

/** The beginning of `tematy zastrzeżone` and of its near spellings. */
const stem = /tematy?zastrz/u
/** A title at the beginning of a line, of a value or of a sentence; a tag of topics; the bare tag of a Gracz. */
const heading = /(?:^|[@:.;])tematy?zastrz|@(?:tematy|trigger)(?![^:])|^(?:tematy|trigger):/u

/**
 * Whether a line reads as restricted topics: as a row of them, as their title in any markup, or as a sentence that
 * names them and goes on after a colon. Case, blanks, hyphens and markup do not count.
 */
export const isTopicLine = (line: string): boolean => {
  if (!mayNameTopics(line)) return false
  const text = letters(line)
  if (heading.test(text)) return true
  const at = text.search(stem)
  return at >= 0 && text.includes(':', at)
}

/** Whether a line begins with the title of the section, in any markup: `## …`, `__…__`, `**… (18+):**`, a bare one. */
export const isTopicTitle = (line: string): boolean =>
  mayNameTopics(line) && /^tematy?zastrz/u.test(letters(line))

const splitWords = /tematy?[\s_-]{1,9}zastrze/iu

/**
 * A value without the topics that were written into it, null where nothing of it may be shown. A value no longer tells
 * how deep its lines stood, so everything below the first line of topics counts as part of it.
 */
export const openValue = (value: string): string | null => {
  if (!mayNameTopics(value)) return value
  const lines = value.split('\n')
  const first = lines.findIndex(isTopicLine)
  if (first === 0) return null
  const kept = first < 0 ? value : lines.slice(0, first).join('\n').trim()
  // A title that is broken over two lines is in neither of them.
  return kept === '' || (kept.includes('\n') && splitWords.test(kept)) ? null : kept
}
