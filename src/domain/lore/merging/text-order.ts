/** Compares two texts by their code units, for `sort`. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** A line without its line feed, and without the carriage return before it. */
export const withoutLineEnd = (line: string): string =>
  line.endsWith('\r\n') ? line.slice(0, -2) : line.endsWith('\n') ? line.slice(0, -1) : line
