import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { Line } from '../lines/lines.js'
import { exactLines, linesOf } from '../lines/lines.js'
import { splitRange } from '../rows/range.js'
import { splitAutoMark, tagOf } from '../rows/rows.js'

/** A line with its bytes in the file, newline included. */
export interface Piece {
  readonly raw: string
  readonly line: Line
  /** The line is in a comment or a conflict that begins above: nothing may come between. */
  readonly joins?: true
}

/** The parts of an `@tag` row that a merge needs. */
export interface TagRow {
  readonly tag: string
  readonly value: string
  readonly from: string | null
  readonly to: string | null
}

/** The smallest part of a merge: a list item with its deeper lines, or a single other line. */
export interface Unit {
  readonly kind: 'item' | 'text' | 'blank'
  readonly pieces: ReadonlyArray<Piece>
  /** The lines without their newlines. Units with equal texts are equal. */
  readonly text: string
  readonly row: TagRow | null
}

/** The lines of a text with their bytes. */
export const splitPieces = function* (text: string): Sliced<ReadonlyArray<Piece>> {
  const raws = exactLines(text)
  yield
  const { lines, hidden } = linesOf(text)
  yield
  const pieces: Array<Piece> = lines.map((line, at) => ({ raw: raws[at] ?? '', line }))
  for (const { line: first, endLine } of hidden)
    for (const [at, piece] of pieces.slice(first, endLine).entries())
      pieces[first + at] = { ...piece, joins: true }
  return pieces
}

export const textOfPieces = (pieces: ReadonlyArray<Piece>): string =>
  pieces.map(piece => piece.line.raw).join('\n')

const rowOf = (line: Line): TagRow | null => {
  const tag = line._tag === 'Item' ? tagOf(line.text) : null
  if (tag === null) return null
  const { text, range } = splitRange(splitAutoMark(tag.value).bare)
  return { tag: tag.tag, value: text, from: range.from, to: range.to }
}

const unitOf = (pieces: ReadonlyArray<Piece>): Unit => {
  const line = pieces[0]?.line
  const kind = line?._tag === 'Item' ? 'item' : line?._tag === 'Blank' ? 'blank' : 'text'
  return { kind, pieces, text: textOfPieces(pieces), row: line === undefined ? null : rowOf(line) }
}

/** Index of the last line that belongs to the item: its deeper lines, with the blank ones between them. */
const depthBelow = (pieces: ReadonlyArray<Piece>, at: number, indent: number): number => {
  let end = at
  for (let next = at + 1; next < pieces.length; next += 1) {
    const line = pieces[next]?.line
    if (line === undefined || line._tag === 'Header' || line._tag === 'Fenced') break
    if (line._tag === 'Blank') continue
    const joins = end === next - 1 && pieces[next]?.joins === true
    if (!joins && line._tag === 'Hidden') continue
    if (!joins && 'indent' in line && line.indent <= indent) break
    end = next
  }
  return end
}

const unitsPerSlice = 256

/** The units of the lines below a heading or an item. */
export const unitsOf = function* (pieces: ReadonlyArray<Piece>): Sliced<ReadonlyArray<Unit>> {
  const units: Array<Unit> = []
  for (let at = 0; at < pieces.length; ) {
    if (units.length % unitsPerSlice === unitsPerSlice - 1) yield
    const line = pieces[at]?.line
    let end = line?._tag === 'Item' ? depthBelow(pieces, at, line.indent) : at
    while (pieces[end + 1]?.joins === true) end += 1
    units.push(unitOf(pieces.slice(at, end + 1)))
    at = end + 1
  }
  if (pieces.length >= unitsPerSlice) yield
  return units
}

/** The unit made of an item's first line and the units below it. */
export const itemOf = (head: Piece, below: ReadonlyArray<Unit>): Unit =>
  unitOf([head, ...below.flatMap(unit => unit.pieces)])
