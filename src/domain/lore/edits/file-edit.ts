import type { BlobId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import { lineStarts, newlineOf } from '../lines/lines.js'

/**
 * Replaces lines of a file. `from` and `to` count from 1, `to` inclusive; `to` = `from` - 1 replaces none and
 * inserts `lines` before line `from`. `lines` carry no newline; they get the file's.
 */
export interface Splice {
  readonly from: number
  readonly to: number
  readonly lines: ReadonlyArray<string>
}

/**
 * A change of one file. `before` is the blob that the plan read, so that the gate never carries out a plan
 * made on another tree. `Lines` keeps every byte outside its splices; `Whole` is for files that a write
 * creates, removes or renders.
 */
export type FileEdit =
  | {
      readonly _tag: 'Lines'
      readonly path: RepoPath
      readonly before: BlobId
      readonly splices: ReadonlyArray<Splice>
    }
  | {
      readonly _tag: 'Whole'
      readonly path: RepoPath
      readonly before: BlobId | null
      readonly after: string | null
    }

/** The order in which the splices of a file are applied. */
export const inOrder = (one: Splice, other: Splice): number => one.from - other.from || one.to - other.to

/**
 * Whether two splices of one file touch the same lines. Two insertions at one place do not: they keep their
 * order.
 */
export const hasOverlap = (one: Splice, other: Splice): boolean => {
  const [first, second] = inOrder(one, other) <= 0 ? [one, other] : [other, one]
  return second.from <= first.to
}

const endsLine = (text: string): boolean => text.endsWith('\n') || text.endsWith('\r')

/**
 * Applies splices that do not overlap; those at one place keep their order. Every byte outside them is kept.
 * A last line without newline stays so unless lines follow it.
 */
export const applySplices = (text: string, splices: ReadonlyArray<Splice>): string => {
  const starts = lineStarts(text)
  const count = starts.length - 1
  const newline = newlineOf(text)
  const parts: Array<string> = []
  let at = 0
  for (const splice of [...splices].sort(inOrder)) {
    const from = splice.from > count ? text.length : (starts[splice.from - 1] ?? text.length)
    const to = splice.to >= count ? text.length : (starts[splice.to] ?? text.length)
    parts.push(text.slice(at, from))
    at = Math.max(from, splice.to < splice.from ? from : to)
    if (splice.lines.length === 0) continue
    const last = parts.findLast(part => part !== '')
    if (last !== undefined && !endsLine(last)) parts.push(newline)
    const open = at === text.length && from < text.length && !endsLine(text)
    parts.push(splice.lines.join(newline) + (open ? '' : newline))
  }
  parts.push(text.slice(at))
  return parts.join('')
}
