import type { BlobId, RepoPath } from '#protocol/atoms.js'
import { escapeComments, type HiddenRun, type Lines, lineStarts, newlineOf } from './lines.js'

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

/**
 * The splices of a Markdown file so that they keep what does not show: comments stay where lines of them are
 * replaced, and what would be inserted within a comment or a conflict goes before it. `scanned` are the lines of the
 * file before the edit; the lines of the splices are what is to show.
 */
export const keepHidden = (scanned: Lines, shown: ReadonlyArray<Splice>): ReadonlyArray<Splice> => {
  const splices = shown.map(splice => ({ ...splice, lines: splice.lines.map(escapeComments) }))
  if (scanned.lines.every(({ _tag, comments }) => _tag !== 'Hidden' && comments === undefined)) return splices
  const kept: Array<Keeping> = splices.filter(one => !isInserting(one)).map(one => keepingOf(scanned, one))
  for (const { from, lines } of splices.filter(isInserting)) {
    const run = scanned.hidden.find(one => one.line < from && from <= one.endLine)
    const host = kept.find(one => run !== undefined && one.from <= run.line && run.line <= one.to)
    if (host !== undefined)
      host.lines.splice(host.lines.length - (host.rest.length === 0 ? 1 : 0), 0, ...lines)
    else if (run !== undefined) kept.push(splitAt(scanned, run, lines))
    else kept.push({ from, to: from - 1, lead: '', lines: [...lines], rest: [] })
  }
  return kept.map(one => renderKeeping(one, scanned))
}

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

/** A splice that keeps what does not show: `lead` precedes its lines, `rest` follows them. */
interface Keeping {
  readonly from: number
  readonly to: number
  readonly lead: string
  readonly lines: Array<string>
  /** What stands behind the last line, and then lines of their own. */
  readonly rest: ReadonlyArray<string>
}

const keepingOf = ({ lines }: Lines, splice: Splice): Keeping => {
  const replaced = lines.slice(splice.from - 1, splice.to)
  const [first] = replaced
  const rest: Array<string> = []
  for (const line of replaced) {
    const { above = '', own = [] } = line.comments ?? {}
    if (line._tag === 'Hidden') rest.push(line.raw)
    else rest.push(...[line === first ? '' : above, own.join(' ')].filter(part => part !== ''))
  }
  const lead = first === undefined || first._tag === 'Hidden' ? '' : (first.comments?.above ?? '')
  return { ...splice, lead, lines: [...splice.lines], rest }
}

/** The splice that moves an insertion to where a run of hidden text begins. */
const splitAt = ({ lines }: Lines, { line, column }: HiddenRun, inserted: ReadonlyArray<string>): Keeping => {
  const opening = lines[line - 1]
  if (opening === undefined || opening._tag === 'Hidden')
    return { from: line, to: line - 1, lead: '', lines: [...inserted], rest: [] }
  const shown = opening.raw.slice(0, column).trimEnd()
  return { from: line, to: line, lead: '', lines: [shown, ...inserted, opening.raw.slice(column)], rest: [] }
}

const isInserting = ({ from, to }: Pick<Splice, 'from' | 'to'>): boolean => to < from

const renderKeeping = ({ from, to, lead, lines, rest }: Keeping, scanned: Lines): Splice => {
  const [first] = rest
  const own = scanned.lines[from - 1]?.comments?.own.join(' ')
  const isBehind = first !== undefined && lines.length > 0 && own === first
  const all = isBehind
    ? [...lines.slice(0, -1), `${lines.at(-1)} ${first}`, ...rest.slice(1)]
    : [...lines, ...rest]
  if (lead === '') return { from, to, lines: all }
  // Behind the end of a comment a marker of a conflict would be none.
  const [head, ...others] = lines.length > 0 ? all : ['', ...all]
  return { from, to, lines: [head === '' ? lead : `${lead} ${head}`, ...others] }
}

const endsLine = (text: string): boolean => text.endsWith('\n') || text.endsWith('\r')
