import type { Row } from '../rows/row.js'

/** A line that belongs to no row, as written in the file. */
export interface Prose {
  readonly line: number
  readonly text: string
}

/** A `### Heading` block with its rows. `prose` keeps every line that belongs to no row. */
export interface Block {
  /** NFC, trimmed, inner blanks collapsed. */
  readonly heading: string
  /** The section (`## …`) that contains the block; null outside any section. */
  readonly section: string | null
  readonly line: number
  /** Last line of the block that is not blank, inclusive. New rows are appended after it. */
  readonly endLine: number
  readonly rows: ReadonlyArray<Row>
  readonly prose: ReadonlyArray<Prose>
}
