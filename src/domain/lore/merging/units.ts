import type { Sliced } from '#src/domain/slicing/sliced.js'
import { exactLines, type Line, linesOf } from '../lines.js'
import { splitRange } from '../rows/days.js'
import { splitAutoMark, tagOf } from '../rows/rows.js'
import type { Pairing } from './alignment.js'

/** A line with its bytes in the file, newline included. */
export interface Piece {
  readonly raw: string
  readonly line: Line
  /** The line is in a comment or a conflict that begins above: nothing may come between. */
  readonly joins?: true
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

/**
 * How one kind of unit (a block of a file, a row of a block, a line of a ledger) is merged. Units that may
 * match are found by key, never by comparing all pairs, so the work of a merge grows with the number of
 * units.
 */
export interface UnitRules<U> {
  readonly pairs: (base: ReadonlyArray<U>, side: ReadonlyArray<U>) => Sliced<Pairing>
  /** Two units are the same when their keys are equal. */
  readonly key: (unit: U) => string
  /** Merges a unit that both sides still have. */
  readonly join: (units: Three<U>, conflicts: Array<Conflict>) => Sliced<U>
  /** The conflict for a unit that one side changed and the other removed. */
  readonly removed: (changed: U) => Conflict
  /** The key that two added units must share to become one; null for a unit that never does. */
  readonly uniteKey: (unit: U) => string | null
  /** Whether two added units with one `uniteKey` become one. */
  readonly canUnite: (ours: U, theirs: U) => boolean
  /** Merges two added units for which `canUnite` holds. */
  readonly unite: (ours: U, theirs: U, conflicts: Array<Conflict>) => Sliced<U>
  /**
   * The key under which two different added units exclude each other; null when the unit excludes no other.
   */
  readonly clashKey: (unit: U) => string | null
  /** The conflict for two added units with one `clashKey`; null where they say the same after all. */
  readonly clash: (ours: U, theirs: U) => Conflict | null
  /** Whether an added unit stays together with the added ones before it, as lines of prose do. */
  readonly sticks: (unit: U, run: ReadonlyArray<U>) => boolean
  /** Whether an added unit is the same wherever it is placed: true for a row, false for a line of prose. */
  readonly isLoose: (unit: U) => boolean
  /**
   * The order of units that both sides added at one place. It depends on content alone, so that every host
   * gets the same one.
   */
  readonly compare: (one: U, other: U) => number
}

/** The two versions of a merge beside its base: `ours` is this host's, `theirs` came from the remote. */
export type Side = 'ours' | 'theirs'

/**
 * A part that a merge cannot settle (D30): one row or line that both sides changed differently, that one side
 * changed and the other removed, or that both added where only one value is allowed at a time.
 */
export interface Conflict {
  /** Heading of the block; null above the first block and in files without blocks. */
  readonly block: string | null
  /** `@lokacja`, the label of an item, or the beginning of a line. Null for the whole block or file. */
  readonly row: string | null
  /** `too_large`: the file has more units than a merge accepts, so each side keeps its own version. */
  readonly cause: 'changed' | 'removed' | 'added' | 'too_large'
}

/** Three versions of one thing: the common base and the two sides. */
export interface Three<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}

/**
 * The result of a three-way merge that needs no look inside: the changed value when only one side changed,
 * the common one when both agree; undefined when they differ.
 */
export const takeChangedSide = <T>({ base, ours, theirs }: Three<T>): T | undefined =>
  ours === theirs || theirs === base ? ours : ours === base ? theirs : undefined

/** Compares two texts by their code units, for `sort`. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** A line without its line feed, and without the carriage return before it. */
export const withoutLineEnd = (line: string): string =>
  line.endsWith('\r\n') ? line.slice(0, -2) : line.endsWith('\n') ? line.slice(0, -1) : line

/** The parts of an `@tag` row that a merge needs. */
interface TagRow {
  readonly tag: string
  readonly value: string
  readonly from: string | null
  readonly to: string | null
}

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
