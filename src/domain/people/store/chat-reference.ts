/** The content of an `@chat` line: a channel, a refusal (`BRAK`), or text that cannot be parsed (LAYOUT). */
export type ChatReference =
  | { readonly _tag: 'Channel'; readonly category: string; readonly channel: string }
  | { readonly _tag: 'Declined' }
  | { readonly _tag: 'Unreadable' }

/**
 * The most characters of the name of a category or channel. The platform allows 100; a message keeps its names on
 * disk, and the list of messages shows them.
 */
export const channelNameCharsMax = 400

/** Parses `category/channel` or `BRAK`; a name of more than `channelNameCharsMax` characters is unreadable. */
export const chatReference = (value: string): ChatReference => {
  const text = value.trim()
  if (text.toLowerCase() === 'brak') return { _tag: 'Declined' }
  const slash = text.indexOf('/')
  const [category, channel] = [text.slice(0, Math.max(slash, 0)).trim(), text.slice(slash + 1).trim()]
  const isLong = Math.max(category.length, channel.length) > channelNameCharsMax
  return isLong || category === '' || channel === '' || channel.includes('/') || text.includes('\n')
    ? { _tag: 'Unreadable' }
    : { _tag: 'Channel', category, channel }
}
