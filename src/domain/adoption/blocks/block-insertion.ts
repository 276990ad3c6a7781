import { applySplices, keepHidden } from '#src/domain/lore/edits/file-edit.js'
import { linesOf, type Newline } from '#src/domain/lore/lines/lines.js'

const joinBlocks = (blocks: ReadonlyArray<string>, newline: Newline): string =>
  blocks.map(block => block.replaceAll('\n', newline)).join(newline + newline)

const gap = (text: string, newline: Newline): string => {
  if (text === '' || text.endsWith(newline + newline)) return ''
  return text.endsWith('\n') ? newline : newline + newline
}

/** Appends blocks to a text, with one blank line between; existing bytes are kept. */
export const blocksAppended = (text: string, blocks: ReadonlyArray<string>, newline: Newline): string =>
  blocks.length === 0 ? text : `${text}${gap(text, newline)}${joinBlocks(blocks, newline)}${newline}`

/**
 * Inserts blocks after the `line`-th line, with one blank line on either side; null: at the end of what shows, before
 * a fence or a comment that is never closed.
 */
export const blocksInserted = (text: string, line: number | null, blocks: ReadonlyArray<string>): string => {
  if (blocks.length === 0) return text
  const scanned = linesOf(text)
  const { lines, unclosed } = scanned
  const from = line === null ? (unclosed?.line ?? lines.length + 1) : line + 1
  const isBlank = (number: number): boolean => (lines[number - 1]?._tag ?? 'Blank') === 'Blank'
  const spaced = blocks.flatMap((block, at) => [...(at === 0 ? [] : ['']), ...block.split('\n')])
  const inserted = [...(isBlank(from - 1) ? [] : ['']), ...spaced, ...(isBlank(from) ? [] : [''])]
  return applySplices(text, keepHidden(scanned, [{ from, to: from - 1, lines: inserted }]))
}
