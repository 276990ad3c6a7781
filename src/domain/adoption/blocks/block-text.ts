import { escapeComments, linesOf } from '#src/domain/lore/lines/lines.js'
import type { LegacyRow } from '../legacy/registry-row.js'

/** The content of a row, whatever its source. */
export type WrittenRow = Pick<LegacyRow, 'tag' | 'value' | 'from' | 'to'>

/** A continuation line of a value, so far in that it is no heading; what would open a fence is escaped. */
export const continueLine = (line: string): string => {
  if (line.startsWith('#')) return `    ${line}`
  return linesOf(line).lines[0]?._tag === 'Fenced' ? `  \\${line}` : `  ${line}`
}

const rowText = ({ tag, value, from, to }: WrittenRow): string => {
  const [first = '', ...rest] = value.split('\n')
  const range = from === '' && to === '' ? '' : ` (${from}:${to})`
  return [`- @${tag}: ${first}${range}`, ...rest.map(continueLine)].join('\n')
}

/** A block of an index file or of the contributor store (LAYOUT), without a newline at its end. */
export const blockText = (heading: string, rows: ReadonlyArray<WrittenRow>): string =>
  [`### ${heading}`, ...rows.map(rowText)].join('\n').split('\n').map(escapeComments).join('\n')
