import type { Row } from '../rows/row.js'

/** A line that is no row, as it stands in the file. */
export interface Prose {
  readonly line: number
  readonly text: string
}

/** A `### Heading` block with its rows; every line that is no row is kept in `prose` (line number, text). */
export interface Block {
  /** NFC, trimmed, inner blanks collapsed. */
  readonly heading: string
  /** The section (`## …`) it stands under, or null. */
  readonly section: string | null
  readonly line: number
  /** Last line of the block that is not blank, inclusive: where a row is appended. */
  readonly endLine: number
  readonly rows: ReadonlyArray<Row>
  readonly prose: ReadonlyArray<Prose>
}
