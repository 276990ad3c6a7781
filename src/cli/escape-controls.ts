const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/**
 * Replaces each control character, line feed and tab among them, and each bidirectional embedding, override
 * or isolate by `\uXXXX`, so that a terminal shows it instead of obeying it. A command passes the text that
 * it reads from a repository through here before it prints it. A backslash stays as it is, so the text cannot
 * be restored.
 */
export const escapeControls = (text: string): string =>
  text.replace(controls, found => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)

/** `escapeControls` for each line of a text: line feeds stay, a CR before one becomes visible. */
export const escapeControlsByLine = (text: string): string => text.split('\n').map(escapeControls).join('\n')
