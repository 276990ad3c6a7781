import { dropLongMarks, dropUnseen } from '#protocol/atoms.js'

/**
 * Whether a line reads as restricted topics: a row of them, their title in any markup, or a sentence that
 * names them and continues after a colon. Ignores case, blanks, hyphens, markup and the look of letters.
 */
export const isTopicLine = (line: string): boolean => {
  if (!mayNameTopics(line)) return false
  const text = titleLetters(line)
  return bareTag.test(text) || [...text.matchAll(title)].some(({ index }) => isMeant(text, index))
}

/**
 * Whether a line begins with the title of the section, in any markup: `## …`, `__…__`, `**… (18+):**`, or
 * bare.
 */
export const isTopicTitle = (line: string): boolean =>
  mayNameTopics(line) && titleLetters(line).search(title) === 0

/** Whether a title begins in one line and ends in the next one that is not blank. */
export const breaksTitle = (line: string, next: string): boolean => {
  if (!mayNameTopics(`${line.slice(-titleCharsMax)}\n${next.slice(0, titleCharsMax)}`)) return false
  const left = titleLetters(line)
  const both = left + titleLetters(next).replace(/^[@:.,;]+/u, '')
  return [...both.matchAll(title)].some(
    ({ index, 0: found }) =>
      index < left.length && index + found.length > left.length && isMeant(both, index),
  )
}

/**
 * A value without the restricted topics in it; null when nothing of it may be shown. A value does not keep
 * the indent of its lines, so everything from the first line of topics on is removed.
 */
export const removeTopics = (value: string): string | null => {
  if (!mayNameTopics(value)) return value
  const lines = value.split('\n')
  const [first] = [...topicLinesIn(lines)].sort((left, right) => left - right)
  if (first === undefined) return value
  const kept = lines.slice(0, first).join('\n').trim()
  return kept === '' ? null : kept
}

/** Whether rows of the tag hold a credential, in the clear or as a hash. No answer contains one (D36). */
export const isCredentialTag = (tag: string): boolean => tag === 'klucz_api' || secretTags.has(tag)

/**
 * Whether a value gives access to a channel: any value of a tag of the old layout, and a webhook in `@chat`.
 */
export const opensChannel = (tag: string, value: string): boolean =>
  secretTags.has(tag) || (tag === 'chat' && isWebhook(value))

/**
 * Whether rows of the tag hold restricted topics (A 5). Near spellings count too: the schema does not know
 * them, but a person who misspelled the tag meant it. `tag` is NFC and lower case.
 */
export const isTopicTag = (tag: string): boolean =>
  mayNameTopics(tag) && (topicTags.has(titleLetters(tag)) || isTopicTitle(tag))

/** Whether a text contains a row or a section of restricted topics. */
export const namesTopics = (text: string): boolean =>
  mayNameTopics(text) && (topicWords.test(titleLetters(text)) || topicLinesIn(text.split('\n')).size > 0)

/** The items of a list, or the list itself, that name no restricted topics; a title may be broken over two of them. */
export const openItems = <A>(items: ReadonlyArray<A>, textOf: (item: A) => string): ReadonlyArray<A> => {
  const texts = items.map(textOf)
  if (!mayNameTopics(texts.join('\n'))) return items
  const topics = topicLinesIn(texts)
  const open = items.filter((item, at) => !topics.has(at) && !namesTopics(textOf(item)))
  return open.length === items.length ? items : open
}

/** Whether the name of a file or of a folder above it reads as restricted topics. */
export const pathNamesTopics = (path: string): boolean =>
  mayNameTopics(path) && path.split('/').some(namesTopics)

/** The text that a finding shows in place of a line with restricted topics. */
export const withheldLine = '[treść zastrzeżona]'

/** What a block or a finding says in place of its words about an entry of restricted topics. */
export const withheldEntry = 'Wpis dotyczy tematów zastrzeżonych.'

/** A line of the lore in the form that a finding may quote. */
export const quotableLine = (text: string): string => (namesTopics(text) ? withheldLine : text)

/** Letters that look like the first of each text and that no normalization makes one with it. */
const alike = [
  ...['aаαɑᴀ', 'cсϲᴄ', 'eеєεᴇɇ', 'gɡɢԍ', 'iіιıɪӏ', 'mмμᴍ', 'nнνпɴ', 'oоοօᴏ', 'rгʀ'],
  ...['sѕꜱ', 'tтτᴛŧ', 'uᴜ', 'wѡԝᴡ', 'yуүυγʏ', 'zζᴢƶ'],
]
const lookAlikes: ReadonlyMap<string, string> = new Map(
  alike.flatMap(([letter = '', ...others]) => others.map(other => [other, letter] as const)),
)

/** The text in small letters without diacritics, in which letters that look alike are one; for comparison only. */
const skeleton = (text: string): string =>
  dropUnseen(dropLongMarks(text))
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[\u0100-\u1fff\ua700-\ua7ff]/gu, letter => lookAlikes.get(letter) ?? letter)

/** A sign that may stand for another letter: none of ASCII and Polish, and no common sign or emoji. */
const strange =
  /(?![ąćęłńóśźż×€\u2500-\u2bff])[ªºÀ-\u02ff\u0370-\u1fff\u2070-\u218f\u2460-\ud83c\ud83f-\udbff\ue000-\uffff]/gi
/** The first letters of `tematy` and of `trigger`, however they are spaced or broken. */
const firstLetters =
  /t[^a-z]{0,12}[eę][^a-z]{0,12}m[^a-z]{0,12}[aą]|t[^a-z]{0,12}r[^a-z]{0,12}i[^a-z]{0,12}g[^a-z]{0,12}g/i
/** As many characters as match `firstLetters` at most, and how many are read from a strange one on. */
const window = { before: 64, from: 256 }

/**
 * A cheap first test whether a text can hold restricted topics. Most texts cannot and need no further test. Only
 * what stands around strange signs is compared by its skeleton.
 */
export const mayNameTopics = (text: string): boolean => {
  if (firstLetters.test(text)) return true
  let at = text.search(strange)
  while (at >= 0) {
    const end = at + window.from
    if (firstLetters.test(skeleton(text.slice(Math.max(0, at - window.before), end)))) return true
    strange.lastIndex = end - window.before
    at = strange.exec(text)?.index ?? -1
  }
  return false
}

/** What stands between the single letters of a spaced word, as in `t.e.m.a.t.y`. */
const spacing = /(?<![a-z])([a-z])[^a-z@:\n]{1,3}(?=[a-z](?![a-z]))/gu

/** The letters of a text with the few signs that show where a title begins. */
const titleLetters = (text: string): string =>
  skeleton(text)
    .replace(spacing, '$1')
    .replace(/[^a-z@:.,;]+/gu, '')

/** `tematy zastrzeżone` in both orders, in every case and number, and its near spellings. */
const title =
  /tema(?:t(?:y|u|em|owi|ow|om|ami|ach)?|cie)zastrz|zastrz(?:e[rz]{1,2}on[a-z]{1,3}|(?:ez)?\.?)tema(?:t|cie)/gu
/** A tag of topics; the bare tag of a Gracz. */
const bareTag = /@(?:tematy|trigger)(?![^:])|^(?:tematy|trigger):/u

/** Whether a title in the letters of a line is meant as one: it begins a sentence, or a colon follows. */
const isMeant = (line: string, at: number): boolean =>
  at === 0 || '@:.;'.includes(line.charAt(at - 1)) || line.includes(':', at)

/** As much of a line as a part of a title takes, however it is spaced. */
const titleCharsMax = 160

/** The places of the lines at which restricted topics begin, both lines of a title that is broken over two. */
const topicLinesIn = (lines: ReadonlyArray<string>): ReadonlySet<number> => {
  const found = new Set<number>()
  let before = -1
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue
    if (isTopicLine(line)) found.add(at)
    if (before >= 0 && breaksTitle(lines[before] ?? '', line)) found.add(before).add(at)
    before = at
  }
  return found
}

/** Tags of the old layout whose value gives write access to a channel. */
const secretTags: ReadonlySet<string> = new Set(['prfwebhook', 'webhook'])

/**
 * Whether a text is a URL that allows writing into a channel, or a part of one. No `category/channel`
 * matches.
 */
const isWebhook = (text: string): boolean => /:\/\/|\bwebhooks\/\S/iu.test(text)

/** `trigger` is the name of the tag in the old layout. */
const topicTags: ReadonlySet<string> = new Set(['tematy', 'trigger'])

const topicWords = /tematy:|@trigger:/u
