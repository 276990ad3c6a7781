import type { Row } from '#src/lore/row.js'
import { secretTags } from '#src/lore/withheld-tags.js'

/** The only form in which an api key may stand in the store (LAYOUT). */
export const isKeyHash = (value: string): boolean => /^sha256:[0-9a-f]{64}$/i.test(value)

/** Whether a text is an address that writes into a channel, or part of one: no `category/channel` reads like it. */
const isWebhook = (text: string): boolean => /:\/\/|\bwebhooks\/\S/iu.test(text)

/** Whether a value gives access to a channel: any value of a tag of the old layout, and a webhook in `@chat`. */
export const opensChannel = (tag: string, value: string): boolean =>
  secretTags.has(tag) || (tag === 'chat' && isWebhook(value))

/**
 * Whether a row holds a credential in the clear. Such a row is never kept in memory: no answer can repeat
 * it.
 */
export const isCredential = (row: Row): boolean =>
  row.tag === 'klucz_api' ? !isKeyHash(row.value) : opensChannel(row.tag, row.value)
