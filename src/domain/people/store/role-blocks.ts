import { statusOf } from '#src/domain/entities/reading/type-of.js'
import type { Block } from '#src/domain/lore/blocks/block.js'
import { headingOf } from '#src/domain/lore/blocks/blocks.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { type Line, linesOf } from '#src/domain/lore/lines/lines.js'
import { headingsMeant, isAtMargin, isStrayMarker } from '#src/domain/lore/lines/near-misses.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { readRows } from '#src/domain/lore/rows/rows.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { RoleBlock } from '../person.js'
import { chatRoleTag, inPolish, strayTag } from './store-finding.js'

/** The roles of a store, and the findings about them. */
export interface RoleBlocks {
  readonly blocks: ReadonlyArray<RoleBlock>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * The lines below a heading up to a deeper header, a line that looks like a heading, or text at the margin; none where
 * a marker of a conflict stands without its beginning.
 */
const ownLines = (below: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const [meant] = headingsMeant(below, true)
  const end = below.findIndex(line => line._tag === 'Header' || line === meant || isAtMargin(line))
  if (end < 0) return below
  const deep = below.findIndex(line => line._tag === 'Header')
  if (below.slice(end, deep < 0 ? below.length : deep).some(isStrayMarker)) return []
  return below.slice(0, end)
}

/** A row that takes rights away counts wherever it stands. */
const isRestricting = ({ tag, value }: Row): boolean => tag === 'status' && statusOf(value) !== 'Aktywny'

/**
 * A block of the store with its own rows alone: those below a deeper header, below a line that looks like a heading, or
 * below text at the margin may be meant for somebody else, or be hidden on the rendered page, and rights fail closed
 * (docs/spec/rights.md#unread).
 */
export const ownBlock = (lines: ReadonlyArray<Line>, block: Block): Block => {
  const below = lines.slice(block.line, block.endLine)
  const end = block.line + ownLines(below).length
  if (end === block.endLine) return block
  const isCut = isAtMargin(below.find(line => line._tag === 'Header' || isAtMargin(line)))
  return { ...block, rows: block.rows.filter(row => row.line <= end || (isCut && isRestricting(row))) }
}

const roleOf = (name: string, line: number, rows: ReadonlyArray<Row>): RoleBlock => ({
  name,
  line,
  chatRoles: rows.flatMap(row =>
    row.tag === chatRoleTag && row.value !== '' && row.unsure !== true ? [row.value] : [],
  ),
})

const strayTags = (file: SourceFile, name: string, rows: ReadonlyArray<Row>): ReadonlyArray<Finding> =>
  rows.filter(row => row.tag !== chatRoleTag).map(row => strayTag(file.path, row, name))

/** Roles in the form `## Role <rola>` with their rows right below (FORMATS 10, open question 9). */
const headerForm = (file: SourceFile): RoleBlocks => {
  const { lines } = linesOf(file.text)
  const blocks: Array<RoleBlock> = []
  const findings: Array<Finding> = []
  const isEnd = (line: Line): boolean => line._tag === 'Header' && line.level <= 3
  for (const line of lines) {
    if (line._tag !== 'Header' || line.level !== 2) continue
    const named = /^rol[ea]\s+(\S.*)$/iu.exec(headingOf(line.text))?.[1]
    if (named === undefined) continue
    let end = line.number
    for (let next = lines[end]; next !== undefined && !isEnd(next); next = lines[end]) end += 1
    const read = readRows(ownLines(lines.slice(line.number, end)), file.path, named)
    blocks.push(roleOf(named, line.number, read.rows))
    const odd = [...read.findings.map(inPolish), ...strayTags(file, named, read.rows)]
    for (const finding of odd) findings.push(finding)
  }
  return { blocks, findings }
}

/** The roles of the store in file order: `### Role` blocks under `## Role`, and the header form. */
export const roleBlocks = (file: SourceFile, blocks: ReadonlyArray<Block>): RoleBlocks => {
  const headers = headerForm(file)
  const all = [...blocks.map(block => roleOf(block.heading, block.line, block.rows)), ...headers.blocks]
  return {
    blocks: all.sort((left, right) => left.line - right.line),
    findings: [...blocks.flatMap(block => strayTags(file, block.heading, block.rows)), ...headers.findings],
  }
}
