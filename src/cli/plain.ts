const control = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** One line of a text of a commit, which may hold terminal escapes and ends of lines: shown, not obeyed. */
export const plainLine = (line: string): string =>
  line.replace(control, found => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)

/** As `plainLine`, of a text whose lines stay lines. */
export const plain = (text: string): string => text.split('\n').map(plainLine).join('\n')
