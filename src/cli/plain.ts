const control = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * Escapes the control characters of one line from a commit, so that a terminal shows them instead of obeying
 * them.
 */
export const plainLine = (line: string): string =>
  line.replace(control, found => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)

/** `plainLine` for each line of a text. */
export const plainText = (text: string): string => text.split('\n').map(plainLine).join('\n')
