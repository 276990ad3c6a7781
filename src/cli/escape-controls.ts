const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * Replaces each control character, line feed and tab among them, and each bidirectional embedding, override
 * or isolate by `\u` and its code point in four hexadecimal digits, such as `\u001b`. A terminal prints that
 * text and would execute the character. A command calls this for text of a repository before it prints it. A
 * backslash stays as it is, so the text cannot be restored.
 */
export const escapeControls = (text: string): string =>
  text.replace(controls, found => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)

/** `escapeControls` for each line of a text: line feeds stay, a CR before one becomes visible. */
export const escapeControlsByLine = (text: string): string => text.split('\n').map(escapeControls).join('\n')

/** JSON for a terminal: the characters of `escapeControls` inside its texts are escaped, so it stays the same JSON. */
export const printedJson = (value: unknown, indent = 2): string =>
  escapeControlsByLine(JSON.stringify(value, null, indent))
