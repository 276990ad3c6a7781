import type { Splice } from '../file-edit.js'
import { type Lines, shownOf } from '../lines.js'
import type { Block, Row, RowChange } from './row-change.js'
import { type ItemLine, renderLine, rowLine, tagOf, textStart } from './rows.js'

/**
 * Replaces the value in the first line of a row; its days and mark stay as written. Throws when the line
 * holds no row.
 */
export const valueSplice = ({ lines }: Lines, row: Row, value: string): Splice => {
  const line = lines[row.line - 1]
  if (line?._tag !== 'Item') throw new Error(`line ${row.line} holds no row`)
  return { from: row.line, to: row.line, lines: [renderLine({ ...rowLine(line, row), value })] }
}

/**
 * The splices that carry out changes of rows of one block. The changes name rows of `block`, each at most
 * once.
 */
export const rowSplices = (
  block: Block,
  lines: Lines,
  changes: ReadonlyArray<RowChange>,
): ReadonlyArray<Splice> => {
  const at = locateRows(block, lines)
  const gone = new Set(changes.flatMap(change => (change._tag === 'Drop' ? [change.row] : [])))
  const rewritten = changes.flatMap((change): ReadonlyArray<Splice> => {
    switch (change._tag) {
      case 'Drop':
        return []
      case 'Add':
        return [insertRow(block, lines, at, change)]
      case 'Until': {
        const line = rowLine(at.lineAt(change.row.line), change.row)
        const range = `${line.range.split(':')[0] ?? ''}:${change.to}`
        const { line: number } = change.row
        return [{ from: number, to: number, lines: [renderLine({ ...line, range, auto: false })] }]
      }
      case 'Unmark': {
        const line = rowLine(at.lineAt(change.row.line), change.row)
        const { line: number } = change.row
        return [{ from: number, to: number, lines: [renderLine({ ...line, auto: false })] }]
      }
      case 'Rewrite': {
        const line = rowLine(at.lineAt(change.row.line), change.row)
        const { value, row } = change
        const text = renderLine({ ...line, value, range: change.range ?? line.range, auto: false })
        return [{ from: row.line, to: row.endLine, lines: [text] }]
      }
    }
  })
  const drops = at.groups
    .filter(group => group.rows.some(row => gone.has(row)))
    .flatMap(group => removeRows(group, gone))
  return [...drops, ...rewritten]
}

/** A tag line with the bullets below it that are separate rows. */
interface Group {
  readonly tag: string
  readonly head: ItemLine
  readonly rows: ReadonlyArray<Row>
  readonly end: number
}

/** The rows of a block with their lines. */
interface Placed {
  readonly lineAt: (number: number) => ItemLine
  readonly groups: ReadonlyArray<Group>
}

const headOf = (row: Row, at: (number: number) => ItemLine | null): ItemLine => {
  const own = at(row.line)
  if (own === null) throw new Error(`line ${row.line} holds no row`)
  if (rowLine(own, row).kind === 'tag') return own
  for (let number = row.line - 1; number > 0; number -= 1) {
    const above = at(number)
    if (above !== null && above.indent < own.indent && tagOf(above.text)?.tag === row.tag) return above
  }
  return own
}

const locateRows = (block: Block, { lines }: Lines): Placed => {
  const at = (number: number): ItemLine | null => {
    const line = lines[number - 1]
    return line?._tag === 'Item' ? line : null
  }
  const groups: Array<Group> = []
  for (const row of block.rows) {
    const head = headOf(row, at)
    const last = groups.at(-1)
    if (last?.head !== head) groups.push({ tag: row.tag, head, rows: [row], end: row.endLine })
    else groups[groups.length - 1] = { ...last, rows: [...last.rows, row], end: row.endLine }
  }
  return {
    groups,
    lineAt: number => {
      const line = at(number)
      if (line === null) throw new Error(`line ${number} holds no row`)
      return line
    },
  }
}

/** A new tag line with the indent and list marker of its neighbour. */
const tagLine = (neighbour: ItemLine | null, { tag, value, range, auto }: NewRow): string => {
  const prefix = neighbour === null ? '- ' : shownOf(neighbour).slice(0, textStart(neighbour))
  const before = `${prefix.replace(/(?<!\d)\d+\./u, '-')}@${tag}:`
  return renderLine({ kind: 'tag', before, value, range, auto })
}

type NewRow = Pick<Extract<RowChange, { _tag: 'Add' }>, 'tag' | 'value' | 'range'> & {
  readonly auto: boolean
}

const insertRow = (
  block: Block,
  { lines }: Lines,
  { groups, lineAt }: Placed,
  { tag, value, range, again, auto }: Extract<RowChange, { _tag: 'Add' }>,
): Splice => {
  const group = groups.findLast(one => one.tag === tag) ?? groups.at(-1)
  const from = (group?.end ?? block.line) + 1
  const first = again === undefined ? value : rowLine(lineAt(again.line), again).value
  const below = again === undefined ? [] : lines.slice(again.line, again.endLine)
  const further = below.filter(({ _tag }) => _tag !== 'Hidden').map(shownOf)
  return {
    from,
    to: from - 1,
    lines: [tagLine(group?.head ?? null, { tag, value: first, range, auto: auto === true }), ...further],
  }
}

/** Removes rows of one group; the tag line stays when other bullets below it stay. */
const removeRows = ({ head, rows }: Group, gone: ReadonlySet<Row>): ReadonlyArray<Splice> => {
  const stays = rows.some(row => !gone.has(row))
  const own = rows.find(row => row.line === head.number)
  const splices = rows.flatMap((row): ReadonlyArray<Splice> => {
    if (!gone.has(row)) return []
    const bare = row === own && stays ? [renderLine({ ...rowLine(head, row), value: '', range: '' })] : []
    return [{ from: row.line, to: row.endLine, lines: bare }]
  })
  const introduces = own === undefined && !stays
  return introduces ? [{ from: head.number, to: head.number, lines: [] }, ...splices] : splices
}
