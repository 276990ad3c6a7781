/** The output of a command: results on `out`, progress and errors on `err`. */
export interface Output {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether `err` supports colours and redrawn lines. */
  readonly isTerminal: boolean
}

/** A table of text columns, each as wide as its widest cell; the last is not padded. */
export const formatColumns = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = rows.reduce<ReadonlyArray<number>>(
    (known, row) => row.map((cell, at) => Math.max(known[at] ?? 0, cell.length)),
    [],
  )
  return rows
    .map(row =>
      row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '),
    )
    .join('\n')
}

/** One word of a command for a POSIX shell, in single quotes where a character could be special. */
export const quoteWord = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
