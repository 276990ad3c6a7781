import type { Day } from '#protocol/atoms.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'

/**
 * Rows of one tag in the deciding order: by FROM, ties in order of arrival (FORMATS 1.5). An immutable
 * weight-balanced tree: adding a row and finding the active one take logarithmic time. A list would be
 * quadratic, because a session may state its rows in any order of FROM.
 */
export interface RowTree {
  readonly row: Row
  readonly left: RowTree | null
  readonly right: RowTree | null
  readonly size: number
  /** The latest TO of its rows; `openEnd` when one has none. */
  readonly latestTo: string
}

/** The tree with one more row, placed after those with the same FROM. */
export const insertRow = (tree: Tree, row: Row): RowTree => {
  if (tree === null) return node(null, row, null)
  return fromOf(tree.row) <= fromOf(row)
    ? balance(tree.left, tree.row, insertRow(tree.right, row))
    : balance(insertRow(tree.left, row), tree.row, tree.right)
}

/** The tree of rows that are already in the deciding order. Linear. */
export const treeOf = (rows: ReadonlyArray<Row>, start = 0, end = rows.length): Tree => {
  const middle = (start + end) >> 1
  const row = rows[middle]
  return start >= end || row === undefined
    ? null
    : node(treeOf(rows, start, middle), row, treeOf(rows, middle + 1, end))
}

/**
 * The last row that is active on a day; null when there is none. Rows up to some place begin on or before the
 * day, and `latestTo` shows whether a subtree of them has an active row, so the search follows one path.
 */
export const lastActive = (tree: Tree, day: Day): Row | null => {
  if (tree === null || tree.latestTo < day) return null
  if (fromOf(tree.row) > day) return lastActive(tree.left, day)
  const after = lastActive(tree.right, day)
  if (after !== null) return after
  return activeOn(tree.row.range, day) ? tree.row : lastActive(tree.left, day)
}

/** The rows in order. */
export const rowsIn = function* (tree: Tree): Generator<Row, void> {
  if (tree === null) return
  yield* rowsIn(tree.left)
  yield tree.row
  yield* rowsIn(tree.right)
}

type Tree = RowTree | null

/** Sorts after every day. */
const openEnd = '~'

/** A subtree may weigh this many times its sibling; a heavier one is rotated (Adams; Hirai and Yamamoto). */
const heavier = 3
/** From this ratio of the inner grandchild to the outer one, the rotation is a double one. */
const innerRatio = 2

const fromOf = (row: Row): string => row.range.from ?? ''

const sizeOf = (tree: Tree): number => tree?.size ?? 0
const weightOf = (tree: Tree): number => sizeOf(tree) + 1

const later = (one: string, other: string | undefined): string =>
  other === undefined || one > other ? one : other

const node = (left: Tree, row: Row, right: Tree): RowTree => ({
  row,
  left,
  right,
  size: sizeOf(left) + sizeOf(right) + 1,
  latestTo: later(later(row.range.to ?? openEnd, left?.latestTo), right?.latestTo),
})

const rotateLeft = (left: Tree, row: Row, right: RowTree): RowTree => {
  const inner = right.left
  return inner === null || weightOf(inner) < innerRatio * weightOf(right.right)
    ? node(node(left, row, inner), right.row, right.right)
    : node(node(left, row, inner.left), inner.row, node(inner.right, right.row, right.right))
}

const rotateRight = (left: RowTree, row: Row, right: Tree): RowTree => {
  const inner = left.right
  return inner === null || weightOf(inner) < innerRatio * weightOf(left.left)
    ? node(left.left, left.row, node(inner, row, right))
    : node(node(left.left, left.row, inner.left), inner.row, node(inner.right, row, right))
}

const balance = (left: Tree, row: Row, right: Tree): RowTree => {
  if (right !== null && weightOf(right) > heavier * weightOf(left)) return rotateLeft(left, row, right)
  if (left !== null && weightOf(left) > heavier * weightOf(right)) return rotateRight(left, row, right)
  return node(left, row, right)
}
