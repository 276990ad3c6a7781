/** A text that is written over several lines of code, as one line. */
export const unwrapText = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .join(' ')
