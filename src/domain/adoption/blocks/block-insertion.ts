import type { Newline } from '#src/domain/lore/lines/lines.js'

const joinBlocks = (blocks: ReadonlyArray<string>, newline: Newline): string =>
  blocks.map(block => block.replaceAll('\n', newline)).join(newline + newline)

const gap = (text: string, newline: Newline): string => {
  if (text === '' || text.endsWith(newline + newline)) return ''
  return text.endsWith('\n') ? newline : newline + newline
}

/** Appends blocks to a text, with one blank line between; existing bytes are kept. */
export const blocksAppended = (text: string, blocks: ReadonlyArray<string>, newline: Newline): string =>
  blocks.length === 0 ? text : `${text}${gap(text, newline)}${joinBlocks(blocks, newline)}${newline}`

/** Inserts blocks after the `line`-th line, with one blank line on either side. */
export const blocksInserted = (
  text: string,
  line: number,
  blocks: ReadonlyArray<string>,
  newline: Newline,
): string => {
  const lines = text.split('\n')
  const above = lines
    .slice(0, line)
    .map(one => `${one}\n`)
    .join('')
  const below = lines.slice(line).join('\n')
  if (blocks.length === 0) return text
  if (below.trim() === '') return blocksAppended(text, blocks, newline)
  const gapBelow = below.startsWith(newline) ? '' : newline
  return `${blocksAppended(above, blocks, newline)}${gapBelow}${below}`
}
