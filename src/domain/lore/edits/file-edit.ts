import type { BlobId } from '#protocol/atoms/commit.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import { newlineOf } from '../lines/lines.js'

/**
 * Lines of a file that give way to others. `from` and `to` count from 1, `to` inclusive; `to` = `from` - 1 replaces
 * none and puts `lines` before line `from`. Lines carry no newline: they take the file's.
 */
export interface Splice {
  readonly from: number
  readonly to: number
  readonly lines: ReadonlyArray<string>
}

/**
 * What a write does to one file. `before` is the blob that the plan read, so that a plan made on another tree is never
 * carried out. `Lines` keeps every byte outside its splices; `Whole` is for files that are made, removed or rendered.
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

/** Where each line of the text starts, and where the text ends. */
const startsOf = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The order in which the splices of a file are put down. */
export const inOrder = (one: Splice, other: Splice): number => one.from - other.from || one.to - other.to

/** Whether two splices of one file touch the same lines. Two insertions at one place do not: the first stays first. */
export const overlap = (one: Splice, other: Splice): boolean => {
  const [first, second] = inOrder(one, other) <= 0 ? [one, other] : [other, one]
  return second.from <= first.to
}

/**
 * The text after the splices, which do not overlap; those at one place are put down in their order. Every byte outside
 * them stands as it stood, the missing newline of a last line included unless lines follow it.
 */
export const spliced = (text: string, splices: ReadonlyArray<Splice>): string => {
  const starts = startsOf(text)
  const count = text === '' ? 0 : text.endsWith('\n') ? starts.length - 1 : starts.length
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
    if (last !== undefined && !last.endsWith('\n')) parts.push(newline)
    const open = at === text.length && from < text.length && !text.endsWith('\n')
    parts.push(splice.lines.join(newline) + (open ? '' : newline))
  }
  parts.push(text.slice(at))
  return parts.join('')
}
