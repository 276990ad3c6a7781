import type { Line } from '#src/domain/lore/lines/lines.js'

/** A list item with the items below it. Indented lines that are no items continue its text (FORMATS 0). */
export interface Item {
  readonly text: string
  readonly line: number
  readonly children: ReadonlyArray<Item>
}

interface Growing {
  text: string
  readonly line: number
  readonly indent: number
  readonly children: Array<Growing>
}

/**
 * The tree of a root item and the lines below it. The parent of an item is the nearest one before it with a
 * smaller indent.
 */
export const itemTree = (lines: ReadonlyArray<Line>): Item | null => {
  const [first] = lines
  if (first === undefined || first._tag !== 'Item') return null
  const root: Growing = { text: first.text, line: first.number, indent: first.indent, children: [] }
  const path: Array<Growing> = [root]
  let last = root
  for (const line of lines.slice(1)) {
    if (line._tag === 'Text') last.text = `${last.text}\n${line.text}`
    if (line._tag !== 'Item') continue
    while (path.length > 1 && (path.at(-1)?.indent ?? 0) >= line.indent) path.pop()
    last = { text: line.text, line: line.number, indent: line.indent, children: [] }
    path.at(-1)?.children.push(last)
    path.push(last)
  }
  return root
}
