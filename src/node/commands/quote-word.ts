/** One word of a command for a POSIX shell, in single quotes where a character could be special. */
export const quoteWord = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
