/** Characters that end a line, hide text or turn its direction. */
const forging = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** The most characters of one text of the lore, so that a long one leaves room for the others. */
const charsMax = 200

const shortenChars = (text: string): string => {
  if (text.length <= charsMax) return text
  const chars = Array.from(text)
  return chars.length <= charsMax ? text : `${chars.slice(0, charsMax - 1).join('')}…`
}

/**
 * A text of the lore or of a commit as a part of a message, which the platform shows as it is written: on one line,
 * with at most 200 characters, and with its Markdown escaped, so that it is no link, mention or picture.
 */
export const escapeChatText = (text: string): string =>
  shortenChars(text.replace(forging, ' ').trim()).replace(/[\\*_~`|>#[\]()<]|:(?=\/\/)/g, '\\$&')
