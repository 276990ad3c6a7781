/** A text of these lines, each with a line feed. */
export const textOfLines = (...lines: ReadonlyArray<string>): string =>
  lines.map(line => `${line}\n`).join('')
