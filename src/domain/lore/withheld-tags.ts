import { isTopicTitle, mayNameTopics, titleLetters, topicLinesIn } from './topic-text.js'

/** Tags of the old layout whose value gives write access to a channel. */
const secretTags: ReadonlySet<string> = new Set(['prfwebhook', 'webhook'])

/** Whether rows of the tag hold a credential, in the clear or as a hash. No answer contains one (D36). */
export const isCredentialTag = (tag: string): boolean => tag === 'klucz_api' || secretTags.has(tag)

/**
 * Whether a text is a URL that allows writing into a channel, or a part of one. No `category/channel`
 * matches.
 */
const isWebhook = (text: string): boolean => /:\/\/|\bwebhooks\/\S/iu.test(text)

/**
 * Whether a value gives access to a channel: any value of a tag of the old layout, and a webhook in `@chat`.
 */
export const opensChannel = (tag: string, value: string): boolean =>
  secretTags.has(tag) || (tag === 'chat' && isWebhook(value))

/** `trigger` is the name of the tag in the old layout. */
const topicTags: ReadonlySet<string> = new Set(['tematy', 'trigger'])

/**
 * Whether rows of the tag hold restricted topics (A 5). Near spellings count too: the schema does not know
 * them, but a person who misspelled the tag meant it. `tag` is NFC and lower case.
 */
export const isTopicTag = (tag: string): boolean =>
  mayNameTopics(tag) && (topicTags.has(titleLetters(tag)) || isTopicTitle(tag))

const topicWords = /tematy:|@trigger:/u

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

/** A line of the lore in the form that a finding may quote. */
export const quotableLine = (text: string): string => (namesTopics(text) ? withheldLine : text)
