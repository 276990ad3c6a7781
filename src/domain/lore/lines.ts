import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'

/**
 * The one reader of Markdown lines (FORMATS 0; docs/spec/lore-format.md#formats-0). Everything that looks for
 * headings, rows or blocks in a text gets its lines from here.
 */

/**
 * The line ending of a file: CRLF when it has any, else LF (FORMATS 0); CR when it has nothing else. Rewriting
 * the file keeps it.
 */
export type Newline = '\r\n' | '\n' | '\r'

export const newlineOf = (text: string): Newline => {
  if (!text.includes('\r')) return '\n'
  return text.includes('\r\n') ? '\r\n' : text.includes('\n') ? '\n' : '\r'
}

/**
 * A line in the form that all lore formats share (FORMATS 0). `text` is trimmed, without comments and, in a
 * header, without the `#`s that close it. A header without text has the text ''. Indents count a tab as four;
 * the indent of an item is rounded down to even.
 *
 * `Fenced` is a line of a fence, its two borders included: no header, no list, no link. `Hidden` is a line of
 * which nothing shows, because it is in a comment, or of a git conflict, its markers included. Readers skip
 * it: the lines around it mean the same with it and without it.
 */
export type Line = Placed &
  (
    | { readonly _tag: 'Header'; readonly level: number; readonly text: string }
    | { readonly _tag: 'Item'; readonly indent: number; readonly text: string }
    | { readonly _tag: 'Text'; readonly indent: number; readonly text: string }
    | { readonly _tag: 'Fenced'; readonly border: 'Opening' | 'Closing' | null }
    | { readonly _tag: 'Hidden' }
    | { readonly _tag: 'Blank' }
  )

/** What hides lines: a fence, an HTML comment, or the markers that git leaves at a conflict. */
export type HiddenBy = 'Fence' | 'Comment' | 'Conflict'

/**
 * What the scanner noticed. `HiddenText`: a fence or a comment that holds headers or items, or is inside of
 * one. `Unclosed`: it hides the rest of the text. `ConflictMarker`: each line of markers. `CommentEnd`: a line
 * that ends a comment where none is open. `TightHeading`: no blank after the `#`s. `EmptyHeading`: no text.
 */
export type LineNotice =
  | { readonly _tag: 'HiddenText'; readonly by: HiddenBy; readonly line: number; readonly endLine: number }
  | { readonly _tag: 'Unclosed'; readonly by: HiddenBy; readonly line: number }
  | {
      readonly _tag: 'ConflictMarker' | 'CommentEnd' | 'TightHeading' | 'EmptyHeading'
      readonly line: number
    }

/**
 * A comment or a conflict of several lines. It begins at `column` of `line`, from 0, and ends in `endLine`, which is
 * beyond the last line where it has no end. Between these lines nothing can be inserted that would show.
 */
export interface HiddenRun {
  readonly line: number
  readonly column: number
  readonly endLine: number
}

/** The lines of a text; `notices` and `hidden` in their order. */
export interface Lines {
  readonly lines: ReadonlyArray<Line>
  /** The fence, comment or conflict that hides the rest of the text; null when none does. */
  readonly unclosed: { readonly by: HiddenBy; readonly line: number } | null
  readonly notices: ReadonlyArray<LineNotice>
  readonly hidden: ReadonlyArray<HiddenRun>
}

/** What shows of a line. */
export const shownOf = (line: Line): string => line.shown ?? line.raw

/** The parts of a line between its comments: offsets in `raw`, the second exclusive. */
export const shownSpans = ({ raw, comments }: Line): ReadonlyArray<readonly [from: number, to: number]> => {
  const spans: Array<readonly [number, number]> = []
  let at = comments?.above.length ?? 0
  for (const comment of comments?.own ?? []) {
    const start = raw.indexOf(comment, at)
    spans.push([at, start])
    at = start + comment.length
  }
  return [...spans, [at, raw.length] as const].filter(([from, to]) => raw.slice(from, to).trim() !== '')
}

/**
 * The lines of a text without their newlines. A newline at the end of the text starts no further line. LF,
 * CRLF and a CR alone end a line.
 */
export const rawLines = (text: string): ReadonlyArray<string> => {
  if (text === '') return []
  const pieces = text.includes('\r') ? text.split(/\r\n|\n|\r/u) : text.split('\n')
  if (pieces.at(-1) === '') pieces.pop()
  return pieces
}

/** Offset of each line of a text, and of its end. */
export const lineStarts = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  if (text.includes('\r')) {
    for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/gu)) starts.push(index + end.length)
  } else for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  if (starts.at(-1) !== text.length) starts.push(text.length)
  return starts
}

/**
 * A line that shows as the text, for writers: a text that looks as if it held a comment gets the backslashes that a
 * reader takes away (`\\<!--`, `--\\>`).
 */
export const escapeComments = (text: string): string => {
  if (!text.includes(opener) && !text.includes(closer)) return text
  const runs = lastRunsOf(text)
  const pieces: Array<string> = []
  let at = 0
  for (let start = commentStart(text, 0, () => runs); start >= 0; ) {
    pieces.push(text.slice(at, start), '\\')
    at = start
    start = commentStart(text, start + 1, () => runs)
  }
  return [...pieces, text.slice(at)].join('').replace(/-->(?=\s*$)/u, '--\\>')
}

/** The lines of a text with their newlines. */
export const exactLines = (text: string): ReadonlyArray<string> => {
  const starts = lineStarts(text)
  return starts.slice(1).map((end, at) => text.slice(starts[at], end))
}

/** A line by itself, as if nothing above it hid it. */
export const readLine = (raw: string): Line => lineOf(withoutInvisible(raw), 1)

/** Parses the lines of a text in slices. Accepts any text. */
export const readLinesInSlices = function* (text: string): Sliced<Lines> {
  const scan = scanOf(text)
  const { lines, raws } = scan
  const read = scan.isPlain ? takePlain : take
  for (const raw of raws) {
    read(scan, raw, lines.length + 1)
    if (lines.length % linesPerSlice === 0) yield
  }
  const unclosed = unclosedOf(scan)
  return { lines, unclosed, notices: scan.notices, hidden: scan.hidden }
}

/** Runs `readLinesInSlices` to its end without yielding. */
export const linesOf = (text: string): Lines => atOnce(readLinesInSlices(text))

/** The text of a header, which the scanner would read after its `#`s: without comments and closing `#`s. */
export const headerText = (text: string): string => {
  if (scanOf(text).isPlain && !text.trimEnd().endsWith('#')) return text.trim()
  const [line] = linesOf(`# ${text}`).lines
  return line?._tag === 'Header' ? line.text : text.trim()
}

/** A line that nothing hides. */
export const lineOf = (raw: string, number: number): Line => {
  const start = pastBlanks(raw, 0)
  const text = raw.trim()
  if (text === '') return { _tag: 'Blank', number, raw }
  if (raw.charCodeAt(start) === hash && widthOf(raw, start) <= headerIndentMax) {
    let end = start
    while (raw.charCodeAt(end) === hash) end += 1
    const title = withoutClosing(raw.slice(end).trim())
    if (title !== '' || end - start <= 3)
      return { _tag: 'Header', number, raw, level: end - start, text: title }
  }
  const item = itemStart(raw, start)
  const indent = widthOf(raw, start)
  if (item >= 0) {
    const content = raw.slice(item).trim()
    if (content !== '') return { _tag: 'Item', number, raw, indent: indent - (indent % 2), text: content }
  }
  return { _tag: 'Text', number, raw, indent, text }
}

/** A line without characters that do not show before and in its marks, and after its text. */
export const withoutInvisible = (raw: string): string => {
  if (!invisible.test(raw)) return raw
  const start = edge.exec(raw)?.[0].length ?? 0
  let end = raw.length
  while (end > start && (invisible.test(raw.charAt(end - 1)) || raw.charAt(end - 1).trim() === '')) end -= 1
  const tail = raw.slice(end)
  return (
    raw.slice(0, start).replace(invisibleRuns, '') +
    raw.slice(start, end) +
    (invisible.test(tail) ? '' : tail)
  )
}

/** The comments in a line, as written: the end of one that begins above, and those that begin in it. */
interface Comments {
  readonly above: string
  readonly own: ReadonlyArray<string>
}

interface Placed {
  /** Line number, counted from 1. */
  readonly number: number
  /** The line as written, without its newline. */
  readonly raw: string
  /**
   * What shows of a line that holds a part of a comment, or characters without a width at its ends. Absent
   * where the whole line shows; `shownOf` returns either.
   */
  readonly shown?: string
  /** The comments of a line that holds a part of one. */
  readonly comments?: Comments
}

/** Lines parsed between two yields: a millisecond or two of work. */
const linesPerSlice = 4096

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0xa0

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

const hash = 0x23

/** Offset of the first character from `at` on that is no blank. */
const pastBlanks = (raw: string, at: number): number => {
  let start = at
  while (start < raw.length && isBlank(raw.charCodeAt(start))) start += 1
  return start
}

/** Offset of the text of a list item, or -1: `-`, `*`, `+` or `N.`, a blank, text. */
const itemStart = (raw: string, at: number): number => {
  const first = raw.charCodeAt(at)
  let end = at
  if (first === 0x2d || first === 0x2a || first === 0x2b) end = at + 1
  else {
    while (end - at < 9 && isDigit(raw.charCodeAt(end))) end += 1
    if (end === at || raw.charCodeAt(end) !== 0x2e) return -1
    end += 1
  }
  return isBlank(raw.charCodeAt(end)) ? end + 1 : -1
}

const widthOf = (raw: string, start: number): number => {
  let width = 0
  for (let at = 0; at < start; at += 1) width += raw.charCodeAt(at) === 0x09 ? 4 : 1
  return width
}

/** A title without the `#`s that close it, which a blank precedes. */
const withoutClosing = (title: string): string => {
  let end = title.length
  while (end > 0 && title.charCodeAt(end - 1) === hash) end -= 1
  return end === title.length || (end > 0 && !isBlank(title.charCodeAt(end - 1)))
    ? title
    : title.slice(0, end).trimEnd()
}

/** A header begins after at most three blanks. */
const headerIndentMax = 3

interface Fence {
  readonly line: number
  readonly mark: number
  readonly length: number
  readonly indent: number
  hasRows: boolean
}

interface Comment {
  readonly line: number
  readonly column: number
  hasRows: boolean
  /** Whether another comment begins inside, so that the first end may not be the last one. */
  nests: boolean
}

interface Conflict {
  readonly line: number
  readonly length: number
}

/** Mutable state of one `readLinesInSlices` run; it never leaves this file. */
interface Scan {
  readonly raws: ReadonlyArray<string>
  readonly lines: Array<Line>
  readonly notices: Array<LineNotice>
  readonly hidden: Array<HiddenRun>
  /** Whether the text has nothing that hides, and no character without a width. */
  readonly isPlain: boolean
  readonly hasInvisible: boolean
  fence: Fence | null
  comment: Comment | null
  conflict: Conflict | null
  /** The number of the last line that ends a conflict; -1 until it is looked for. */
  lastEnd: number
}

/** Characters without a width, or that only turn the direction of a text. */
const invisible = /[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/
const edge =
  /^[\s\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff#*+\-.\d@]*/u
const invisibleRuns = /[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/gu

const hiders = ['<!--', '-->', '--\\>', '```', '~~~', '<<<<<<<', '>>>>>>>']

const scanOf = (text: string): Scan => {
  const hasInvisible = invisible.test(text)
  return {
    raws: rawLines(text),
    lines: [],
    notices: [],
    hidden: [],
    isPlain: !hasInvisible && !hiders.some(one => text.includes(one)),
    hasInvisible,
    fence: null,
    comment: null,
    conflict: null,
    lastEnd: -1,
  }
}

const notice = (scan: Scan, one: LineNotice): void => void scan.notices.push(one)

/** Adds a line of which something shows. */
const show = (scan: Scan, raw: string, number: number, shown: string, comments?: Comments): Line => {
  const read = lineOf(shown, number)
  const seen = shown === raw ? read : { ...read, raw, shown }
  const line = comments === undefined ? seen : { ...seen, comments }
  scan.lines.push(line)
  if (line._tag === 'Header') {
    if (line.text === '') notice(scan, { _tag: 'EmptyHeading', line: number })
    else if (line.level <= 3 && isTight(shown)) notice(scan, { _tag: 'TightHeading', line: number })
  }
  return line
}

/** Whether no blank follows the `#`s of a header. */
const isTight = (shown: string): boolean => {
  let end = pastBlanks(shown, 0)
  while (shown.charCodeAt(end) === hash) end += 1
  return !isBlank(shown.charCodeAt(end))
}

const takePlain = (scan: Scan, raw: string, number: number): void => void show(scan, raw, number, raw)

/** Whether a line would be a header or an item. */
const isRow = (shown: string): boolean => {
  const { _tag } = lineOf(shown, 0)
  return _tag === 'Header' || _tag === 'Item'
}

/** Whether a whole line would be a header or an item, or continue one. */
const isOfRow = (clean: string): boolean =>
  isRow(clean) || (isBlank(clean.charCodeAt(0)) && clean.trim() !== '')

const take = (scan: Scan, raw: string, number: number): void => {
  const clean = scan.hasInvisible ? withoutInvisible(raw) : raw
  if (takeConflict(scan, clean, number)) scan.lines.push({ _tag: 'Hidden', number, raw })
  else if (scan.fence !== null || (scan.comment === null && fenceIn(clean) !== null)) {
    scan.lines.push({ _tag: 'Fenced', number, raw, border: takeFence(scan, raw, clean, number) })
  } else takeComments(scan, raw, clean, number)
}

/** The run of a marker of a conflict at the start of a line; 0 when the line is none. */
const markerLength = (clean: string, mark: '<' | '|' | '=' | '>'): number => {
  if (!clean.startsWith(mark)) return 0
  let end = 0
  while (clean.charAt(end) === mark) end += 1
  const isAlone = end === clean.length || isBlank(clean.charCodeAt(end))
  return end >= 7 && isAlone && (mark !== '=' || clean.trimEnd().length === end) ? end : 0
}

const isConflictEnd = (raw: string): boolean => markerLength(raw, '>') > 0

/**
 * Takes a line of a conflict, and tells whether it was one. Git wrote the markers without regard to Markdown,
 * so they count in fences and comments too, where the conflict has an end.
 */
const takeConflict = (scan: Scan, clean: string, number: number): boolean => {
  const { conflict } = scan
  if (conflict === null) {
    const length = markerLength(clean, '<')
    if (length === 0) {
      if (scan.fence === null && scan.comment === null && isConflictEnd(clean))
        notice(scan, { _tag: 'ConflictMarker', line: number })
      return false
    }
    if (scan.fence !== null || scan.comment !== null) {
      if (scan.lastEnd < 0) scan.lastEnd = scan.raws.findLastIndex(isConflictEnd) + 1
      if (scan.lastEnd < number) return false
    }
    scan.conflict = { line: number, length }
    notice(scan, { _tag: 'ConflictMarker', line: number })
    return true
  }
  const isMarker = (['<', '|', '=', '>'] as const).some(mark => markerLength(clean, mark) === conflict.length)
  if (isMarker) notice(scan, { _tag: 'ConflictMarker', line: number })
  if (markerLength(clean, '>') === conflict.length) {
    scan.conflict = null
    scan.hidden.push({ line: conflict.line, column: 0, endLine: number })
  }
  return true
}

/**
 * The fence that a line opens, after any blanks and marks of items; null when it opens none. Backticks after
 * backticks make the line a code span.
 */
const fenceIn = (clean: string): Pick<Fence, 'mark' | 'length' | 'indent'> | null => {
  if (!clean.includes('```') && !clean.includes('~~~')) return null
  let start = pastBlanks(clean, 0)
  for (let item = itemStart(clean, start); item >= 0; item = itemStart(clean, start))
    start = pastBlanks(clean, item)
  const mark = clean.charCodeAt(start)
  if (mark !== 0x60 && mark !== 0x7e) return null
  let end = start
  while (clean.charCodeAt(end) === mark) end += 1
  if (end - start < 3 || (mark === 0x60 && clean.includes('`', end))) return null
  return { mark, length: end - start, indent: widthOf(clean, start) }
}

/** A fence ends at most three blanks further in than it began. */
const closingIndentMax = 3

/** Whether a line as written ends a fence: signs that do not show and no-break spaces end none. */
const closesFence = (raw: string, { mark, length, indent }: Fence): boolean => {
  const [{ length: start } = ''] = /^[ \t]*/u.exec(raw) ?? []
  let end = start
  while (raw.charCodeAt(end) === mark) end += 1
  const isAlone = /^[ \t]*$/u.test(raw.slice(end))
  return end - start >= length && isAlone && widthOf(raw, start) <= indent + closingIndentMax
}

const takeFence = (scan: Scan, raw: string, clean: string, number: number): 'Opening' | 'Closing' | null => {
  const { fence } = scan
  if (fence === null) {
    const opened = fenceIn(clean)
    scan.fence = opened === null ? null : { line: number, ...opened, hasRows: false }
    return 'Opening'
  }
  if (!closesFence(raw, fence)) {
    fence.hasRows ||= isRow(clean)
    return null
  }
  scan.fence = null
  if (fence.hasRows) notice(scan, { _tag: 'HiddenText', by: 'Fence', line: fence.line, endLine: number })
  return 'Closing'
}

const opener = '<!--'
const closer = '-->'

/** Where the runs of backticks of each length begin last, so that a run without a partner is skipped at once. */
const lastRunsOf = (text: string): ReadonlyMap<number, number> => {
  const runs = new Map<number, number>()
  for (const { 0: run, index } of text.matchAll(/`+/gu)) runs.set(run.length, index)
  return runs
}

/** Offset after the run of backticks at `at`, or after the code span that it opens. */
const pastTicks = (text: string, at: number, lastRuns: ReadonlyMap<number, number>): number => {
  const endOf = (start: number): number => {
    let end = start
    while (text.charCodeAt(end) === 0x60) end += 1
    return end
  }
  const end = endOf(at)
  if ((lastRuns.get(end - at) ?? -1) < end) return end
  for (let next = text.indexOf('`', end); next >= 0; next = text.indexOf('`', endOf(next)))
    if (endOf(next) - next === end - at) return endOf(next)
  return end
}

/** Offset of the next comment from `from` on, outside of code spans and without a backslash; -1 when there is none. */
const commentStart = (text: string, from: number, lastRuns: () => ReadonlyMap<number, number>): number => {
  let start = text.indexOf(opener, from)
  let tick = start < 0 ? -1 : text.indexOf('`', from)
  while (start >= 0) {
    if (tick >= 0 && tick < start) {
      const end = pastTicks(text, tick, lastRuns())
      tick = text.indexOf('`', end)
      if (start < end) start = text.indexOf(opener, end)
    } else if (text.charAt(start - 1) === '\\') start = text.indexOf(opener, start + 1)
    else return start
  }
  return -1
}

/** Whether the next mark of a comment is an end, with nothing behind it in its line. `rest` ends a line. */
const endsLater = (following: ReadonlyArray<string>, number: number, rest: string): boolean => {
  let line: string | undefined = rest
  for (let nth = number; line !== undefined; nth += 1) {
    const [start, end] = [line.indexOf(opener), line.indexOf(closer)]
    if (start >= 0 && (end < 0 || start < end)) return false
    if (end >= 0) return line.slice(end + closer.length).trim() === ''
    line = following[nth]
  }
  return false
}

/**
 * Where an open comment ends in a line, from `at` on; -1 when it goes on. HTML ends it at the first `-->`. Where
 * another comment began inside and one more `-->` follows, the author meant that one.
 */
const commentEnd = (scan: Scan, comment: Comment, clean: string, number: number, at: number): number => {
  // `<!-->` is a whole comment.
  const text = comment.line === number ? at + opener.length : at
  let from = Math.max(at, text - 2)
  for (;;) {
    const end = clean.indexOf(closer, from)
    const inner = clean.slice(text, end < 0 ? clean.length : Math.max(text, end))
    comment.hasRows ||= at === 0 && end < 0 && comment.line < number ? isOfRow(inner) : isRow(inner)
    comment.nests ||= inner.includes(opener)
    if (end < 0) return -1
    from = end + closer.length
    if (!comment.nests || !endsLater(scan.raws, number, clean.slice(from))) return from
  }
}

/** What follows a comment in its line. One blank behind it goes with it, where a blank or nothing is before it. */
const afterComment = (before: string | undefined, piece: string): string => {
  const isAlone = before === undefined || before === '' || isBlank(before.charCodeAt(before.length - 1))
  return isAlone && isBlank(piece.charCodeAt(0)) && !isBlank(piece.charCodeAt(1)) ? piece.slice(1) : piece
}

/** What shows of a line that is in no fence, and its comments. */
interface SplitLine {
  readonly shown: string
  readonly comments: Comments
  /** The comments that are in the line, the one that goes on after it too. */
  readonly touched: ReadonlyArray<Comment>
}

const splitLine = (scan: Scan, raw: string, clean: string, number: number): SplitLine => {
  const touched: Array<Comment> = []
  const [shown, own]: [Array<string>, Array<string>] = [[], []]
  let runs: ReadonlyMap<number, number> | null = null
  const lastRuns = (): ReadonlyMap<number, number> => (runs ??= lastRunsOf(clean))
  let above = ''
  let at = 0
  while (at >= 0) {
    const from = at
    if (scan.comment === null) {
      const start = commentStart(clean, at, lastRuns)
      const piece = clean.slice(at, start < 0 ? clean.length : start)
      shown.push(at === 0 ? piece : afterComment(shown.at(-1), piece))
      if (start < 0) break
      // Characters that were cut off stand before the comment.
      scan.comment = { line: number, column: raw.indexOf(opener, start), hasRows: false, nests: false }
      at = start
    }
    touched.push(scan.comment)
    const start = at
    at = commentEnd(scan, scan.comment, clean, number, at)
    if (from === 0 && scan.comment.line < number) above = clean.slice(0, at < 0 ? clean.length : at)
    else own.push(clean.slice(start, at < 0 ? clean.length : at))
    if (at >= 0) scan.comment = null
  }
  const visible = shown.map(piece => piece.replaceAll('\\<!--', opener).replaceAll('--\\>', closer))
  return { shown: visible.join(''), comments: { above, own }, touched }
}

/** Takes a line outside of fences: what shows of it without the comments in it. */
const takeComments = (scan: Scan, raw: string, clean: string, number: number): void => {
  const { shown, comments, touched } = splitLine(scan, raw, clean, number)
  if (touched.length === 0) {
    show(scan, raw, number, shown)
    if (clean.trimEnd().endsWith(closer)) notice(scan, { _tag: 'CommentEnd', line: number })
    return
  }
  if (shown.trim() === '') scan.lines.push({ _tag: 'Hidden', number, raw, comments })
  else {
    show(scan, raw, number, shown.trimEnd(), comments)
    if (isRow(shown)) for (const one of touched) one.hasRows = true
  }
  for (const { line, column, hasRows } of touched.filter(one => one !== scan.comment)) {
    if (line < number) scan.hidden.push({ line, column, endLine: number })
    if (hasRows) notice(scan, { _tag: 'HiddenText', by: 'Comment', line, endLine: number })
  }
}

/** What hides the rest of the text, which is noticed too. */
const unclosedOf = (scan: Scan): Lines['unclosed'] => {
  const { fence, comment, conflict } = scan
  const open = conflict ?? fence ?? comment
  if (open === null) return null
  const by = open === conflict ? 'Conflict' : open === fence ? 'Fence' : 'Comment'
  notice(scan, { _tag: 'Unclosed', by, line: open.line })
  if (by !== 'Fence')
    scan.hidden.push({
      line: open.line,
      column: 'column' in open ? open.column : 0,
      endLine: scan.lines.length + 1,
    })
  return { by, line: open.line }
}
