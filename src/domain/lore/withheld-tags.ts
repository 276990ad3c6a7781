import { dropLongMarks } from '#protocol/atoms/nfc.js'
import { dropUnseen, isTopicLine, isTopicTitle, mayNameTopics } from './topic-text.js'

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
  tag.includes('te') ? topicTags.has(tag) || isTopicTitle(tag) : topicTags.has(tag)

const topicWords = /(?:tematy(?:[\s_-]{0,9}zastrze[zż]one)?|@trigger)\s{0,9}:/iu

/** Whether a text contains a row or a section of restricted topics. */
export const namesTopics = (text: string): boolean =>
  mayNameTopics(text) &&
  (topicWords.test(dropUnseen(dropLongMarks(text)).normalize('NFC')) || text.split('\n').some(isTopicLine))

/** Whether the name of a file or of a folder above it reads as restricted topics. */
export const pathNamesTopics = (path: string): boolean =>
  mayNameTopics(path) && path.split('/').some(namesTopics)

/** The text that a finding shows in place of a line with restricted topics. */
export const withheldLine = '[treść zastrzeżona]'

/** A line of the lore in the form that a finding may quote. */
export const quotableLine = (text: string): string => (namesTopics(text) ? withheldLine : text)
