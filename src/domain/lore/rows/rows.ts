import { dropUnseen, foldableIn, foldSigns, nfc, type RepoPath } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Finding } from '../finding.js'
import { escapeComments, type Line, linesOf, shownOf } from '../lines.js'
import { quotableLine, removeTopics } from '../topic-text.js'
import { splitRange } from './days.js'
import type { Prose, RangeText, Row, RowSource } from './row-change.js'

/** Tags that give a name: each bullet below one is a separate name (FORMATS 1.6). */
export const nameTags: ReadonlySet<string> = new Set(['alias', 'nazwa_svc', 'nick'])

/** Tags whose value is the name of another block. */
export const referenceTags: ReadonlySet<string> = new Set([
  'lokacja',
  'drzwi',
  'należy_do',
  'grupa',
  'region',
])

/** A value without its ` (auto)` mark, which follows the range. */
export const splitAutoMark = (text: string): { readonly auto: boolean; readonly bare: string } =>
  text.endsWith(autoMark) && /^$|[\s\u00a0]$/u.test(text.slice(-autoMark.length - 1, -autoMark.length))
    ? { auto: true, bare: text.slice(0, -autoMark.length).trimEnd() }
    : { auto: false, bare: text }

/**
 * Whether a line below a row belongs to it: a deeper item or text does; a blank or hidden line is undecided,
 * because the lines after it may belong; anything else ends the row. Every parser that cuts rows out of lines uses
 * this; `indent` is the row's.
 */
export const belongsToRow = (line: Line, indent: number): 'yes' | 'undecided' | 'no' => {
  if (line._tag === 'Blank' || line._tag === 'Hidden') return 'undecided'
  return (line._tag === 'Item' || line._tag === 'Text') && line.indent > indent ? 'yes' : 'no'
}

/** Parses a tag line: the name NFC and folded, the value as written. Null when the item is no tag line. */
export const tagOf = (text: string): { readonly tag: string; readonly value: string } | null => {
  if (!text.startsWith('@')) return null
  const colon = text.indexOf(':')
  const tag = colon < 0 ? '' : text.slice(1, colon).trim()
  return tag === '' ? null : { tag: tagName(tag), value: text.slice(colon + 1).trim() }
}

/**
 * Parses the lines below a heading and yields between lines; `subject` is the heading that findings name.
 * Deeper lines continue a row over blank lines; a line at the margin that is no item ends it. A bullet below
 * a tag is a separate row when the tag gives names, or when the bullet is dated (FORMATS 1.6).
 */
export const readRowsInSlices = function* (
  lines: Iterable<Line>,
  file: RepoPath,
  subject: string | null,
): Sliced<ReadRows> {
  const reading: Reading = {
    file,
    subject,
    source: { _tag: 'File', path: file },
    rows: [],
    prose: [],
    findings: [],
    open: null,
    blanks: 0,
    cut: null,
  }
  yield* forEachInSlices(lines, line => take(reading, line))
  close(reading)
  return { rows: reading.rows, prose: reading.prose, findings: reading.findings }
}

/** Runs `readRowsInSlices` to its end without yielding. */
export const readRows = (lines: Iterable<Line>, file: RepoPath, subject: string | null): ReadRows =>
  atOnce(readRowsInSlices(lines, file, subject))

export type ItemLine = Extract<Line, { _tag: 'Item' }>

/** Offset of the text of an item in what shows of its line. */
export const textStart = (line: ItemLine): number => shownOf(line).trimEnd().length - line.text.length

/** Splits the first line of a row into its parts. */
export const rowLine = (line: ItemLine, row: Row): RowLine => {
  const kind = tagOf(line.text) === null || isBullet(line.text, row) ? 'bullet' : 'tag'
  const start = textStart(line) + (kind === 'tag' ? line.text.indexOf(':') + 1 : 0)
  const { auto, bare } = splitAutoMark(shownOf(line).slice(start).trim())
  const { text: value } = splitRange(bare)
  return {
    kind,
    before: shownOf(line).slice(0, start),
    value,
    range: value === bare ? '' : insideOf(bare),
    auto,
  }
}

/** Joins the parts of a row's first line. */
export const renderLine = ({ kind, before, value, range, auto }: RowLine): string => {
  const parts = [value, range === '' ? '' : `(${range})`, auto ? '(auto)' : ''].filter(part => part !== '')
  const gap = kind === 'tag' && parts.length > 0 ? ' ' : ''
  return before + gap + parts.join(' ')
}

/**
 * The name that a row of a name tag gives: its value without restricted topics; null when nothing is left.
 * A topic is no name, so no caller can check a guess of it by asking for a block of that name
 * (docs/spec/restricted-topics.md#spellings).
 */
export const spellingIn = ({ value }: Pick<Row, 'value'>): string | null => {
  const name = removeTopics(value)
  return name === '' ? null : name
}

/**
 * The problem of a name with a character that does not show, or that looks like an apostrophe or a hyphen
 * (docs/spec/lore-names.md#signs). Such a name is compared without it, or with the plain character in its place.
 */
export const signProblem = (name: string): SpellingProblem | null => {
  const sign = foldableIn(name)
  if (sign === null) return null
  const code = `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  const [plain, shown] = [foldSigns(`a${sign}a`).slice(1, -1), quotableLine(name)]
  const how =
    plain === '' ? `niewidoczny znak ${code}, który jest pomijany` : `znak ${code} zamiast „${plain}”`
  return {
    kind: 'NameSign',
    severity: 'warning',
    reason: `Nazwa „${dropUnseen(shown)}” ma ${how}.`,
    suggestion: `Zapisz „${foldSigns(shown)}”.`,
  }
}

/** Whether a text ends like a range or like `(auto)`, so that the parser would cut that part off. */
export const endsAsMark = (text: string): boolean => {
  const { text: value, suspect } = splitRange(text)
  return value !== text || suspect || splitAutoMark(text).auto
}

/**
 * A value in the form that a row stores: NFC, without blanks around it. Keeps newlines at the ends, so that
 * `textFault` rejects them.
 */
export const valueText = (text: string): string =>
  nfc(text).replace(/^[ \t\u00a0]+|(?<![ \t\u00a0])[ \t\u00a0]+$/gu, '')

/** Why a text cannot be written because characters of it were lost; null when none was. */
export const lossFault = (text: string): string | null =>
  text.includes(replacement)
    ? 'has U+FFFD in place of characters that were lost; send the text again, read in its own encoding'
    : null

/** Why a text cannot be a value on one line; null when it can. */
export const textFault = (text: string): string | null => {
  if (text === '') return 'is empty'
  if (Buffer.byteLength(text) > valueBytesMax) return `is longer than ${valueBytesMax} bytes`
  if (forging.test(text)) return 'has a newline, a control character or a direction mark'
  if (text.trim() !== text) return 'begins or ends with a space'
  if (!isShown(text))
    return 'has a comment in a code span or after a backslash, or ends with a character that does not show'
  return manyMarks.test(text) ? 'has too many combining marks' : lossFault(text)
}

/** Why a text cannot be the value of a tag; null when it can. */
export const valueFault = (text: string): string | null => {
  const fault = textFault(text)
  if (fault !== null) return fault
  if (text.startsWith('@')) return 'begins with @, as a tag does'
  return endsAsMark(text) ? 'ends like a range (from:to) or (auto); send the days in `from` and `to`' : null
}

/** The content of the lines below a heading. Every line that is not blank is in a row or in `prose`. */
interface ReadRows {
  readonly rows: ReadonlyArray<Row>
  readonly prose: ReadonlyArray<Prose>
  readonly findings: ReadonlyArray<Finding>
}

const autoMark = '(auto)'

/** Cache of tag names by their spelling, because a corpus has only a few. */
const tagNames = new Map<string, string>()
const tagNamesMax = 1024

const tagName = (written: string): string => {
  const known = tagNames.get(written)
  if (known !== undefined) return known
  const name = nfc(written).toLowerCase()
  if (written.length < 40 && tagNames.size < tagNamesMax) tagNames.set(written, name)
  return name
}

/** An open row: deeper lines still continue it. */
interface Open {
  readonly row: Row
  readonly indent: number
  endLine: number
  readonly more: Array<string>
  /** Bullets that are separate rows, and the indent of the last one. */
  readonly bullets: Array<Row>
  bulletIndent: number
}

/** Mutable state of one `readRowsInSlices` run; it never leaves this file. */
interface Reading {
  readonly file: RepoPath
  readonly subject: string | null
  readonly source: RowSource
  readonly rows: Array<Row>
  readonly prose: Array<Prose>
  readonly findings: Array<Finding>
  open: Open | null
  /** Blank lines since the last line of the open row. */
  blanks: number
  /** The indent of a row that the fence above ended; null when there is none. */
  cut: number | null
}

type Item = Extract<Line, { _tag: 'Item' }>

const reportFinding = (
  reading: Reading,
  kind: 'SuspectRange' | 'TagWithoutColon' | 'NestedTag' | 'CutRow',
  line: number,
  reason: string,
  suggestion: string,
): void => {
  const { file, subject } = reading
  reading.findings.push({ kind, severity: 'warning', file, line, subject, reason, suggestion })
}

const rowOf = (reading: Reading, tag: string, text: string, line: number): Row => {
  const { auto, bare } = splitAutoMark(text)
  const { text: value, range, suspect } = splitRange(bare)
  if (suspect)
    reportFinding(
      reading,
      'SuspectRange',
      line,
      `Zakres przy @${tag} nie jest zakresem dni.`,
      'Zapisz (od:do) jako RRRR, RRRR-MM albo RRRR-MM-DD, wcześniejszy dzień najpierw.',
    )
  const row = { tag, value, range, auto, line, endLine: line, source: reading.source }
  return suspect ? { ...row, unsure: true } : row
}

const close = (reading: Reading): void => {
  const open = reading.open
  if (open !== null) {
    const value = (open.row.value === '' ? open.more : [open.row.value].concat(open.more)).join('\n')
    // A tag line that only introduces bullets is no row.
    if (value !== '' || open.bullets.length === 0)
      reading.rows.push({ ...open.row, value, endLine: open.endLine })
    for (const row of open.bullets) reading.rows.push(row)
  }
  reading.open = null
  reading.blanks = 0
}

const start = (reading: Reading, line: Item): void => {
  close(reading)
  const tag = tagOf(line.text)
  if (tag !== null) {
    const row = rowOf(reading, tag.tag, tag.value, line.number)
    reading.open = { row, indent: line.indent, endLine: line.number, more: [], bullets: [], bulletIndent: 0 }
    return
  }
  reading.prose.push({ line: line.number, text: line.raw })
  if (line.text.startsWith('@'))
    reportFinding(
      reading,
      'TagWithoutColon',
      line.number,
      'Znacznik nie ma dwukropka.',
      'Zapisz „- @znacznik: wartość”.',
    )
}

const carryOn = (reading: Reading, open: Open, line: number, text: string): void => {
  const { blanks } = reading
  const last = open.bullets.pop()
  if (last === undefined) {
    if (blanks > 0) open.more.push('\n'.repeat(blanks - 1))
    open.more.push(text)
    open.endLine = line
  } else
    open.bullets.push({ ...last, value: `${last.value}${'\n'.repeat(blanks + 1)}${text}`, endLine: line })
  reading.blanks = 0
}

const bullet = (reading: Reading, open: Open, line: Item): void => {
  const { tag } = open.row
  if (tagOf(line.text) !== null)
    reportFinding(
      reading,
      'NestedTag',
      line.number,
      `Ten wiersz jest częścią wartości @${tag}, a nie osobnym znacznikiem.`,
      'Zacznij wiersz w kolumnie pozostałych znaczników.',
    )
  const below = open.bullets.length > 0 && line.indent > open.bulletIndent
  const row = rowOf(reading, tag, line.text, line.number)
  const own = nameTags.has(tag) || row.range.from !== null || row.range.to !== null || open.bullets.length > 0
  if (below || !own) return carryOn(reading, open, line.number, line.text)
  open.bullets.push(row)
  open.bulletIndent = line.indent
  reading.blanks = 0
}

/** Reports a line that would belong to the row above if no fence were between. */
const reportCut = (reading: Reading, line: Line): void => {
  if (reading.cut !== null && 'indent' in line && line.indent > reading.cut)
    reportFinding(
      reading,
      'CutRow',
      line.number,
      'Blok kodu kończy wpis wyżej, więc ten wiersz do niego nie należy.',
      'Przenieś blok kodu pod cały wpis.',
    )
  reading.cut = null
}

/** The first days of a range, or the words before them. */
const daysAhead = /^[[{(–—-]{0,3}\s{0,3}(?:od|do|:)?\s{0,3}\d{4}(?!\d)/iu

/** A line at the margin right below a row goes on with it on the rendered page, so days in it would be the row's. */
const doubtRow = (reading: Reading, open: Open, line: Line): void => {
  if (line._tag !== 'Text' || reading.blanks > 0 || !daysAhead.test(line.text)) return
  const last = open.bullets.pop()
  if (last === undefined) reading.open = { ...open, row: { ...open.row, unsure: true } }
  else open.bullets.push({ ...last, unsure: true })
  reportFinding(
    reading,
    'SuspectRange',
    line.number,
    `Dni pod @${open.row.tag} nie są zakresem tego wiersza.`,
    'Zapisz (od:do) w tym samym wierszu.',
  )
}

const take = (reading: Reading, line: Line): void => {
  const { open } = reading
  if (line._tag === 'Hidden') return
  if (line._tag === 'Blank') {
    reading.blanks += 1
    return
  }
  if (line._tag === 'Fenced') reading.cut = open === null ? reading.cut : open.indent
  else reportCut(reading, line)
  const deeper = open !== null && belongsToRow(line, open.indent) === 'yes' ? open : null
  if (line._tag === 'Item') return deeper === null ? start(reading, line) : bullet(reading, deeper, line)
  if (line._tag === 'Text' && deeper !== null) return carryOn(reading, deeper, line.number, line.text)
  if (open !== null) doubtRow(reading, open, line)
  close(reading)
  reading.prose.push({ line: line.number, text: line.raw })
}

/** The parts of the first line of a row, so that one part can be replaced. */
interface RowLine {
  /** A tag line, or a bullet below one that is a separate row (FORMATS 1.6). */
  readonly kind: 'tag' | 'bullet'
  /** Indent, marker and tag, as written. */
  readonly before: string
  readonly value: string
  readonly range: RangeText
  readonly auto: boolean
}

const isBullet = (text: string, row: Row): boolean =>
  splitRange(splitAutoMark(text).bare).text === (row.value.split('\n')[0] ?? '')

const insideOf = (bare: string): RangeText =>
  bare
    .slice(bare.lastIndexOf('(') + 1, -1)
    .split(':')
    .map(side => side.trim())
    .join(':')

/** What is wrong with the spelling of a name, for a finding. */
type SpellingProblem = Pick<Finding, 'kind' | 'severity' | 'reason' | 'suggestion'>

/** The longest value of a row that a write accepts, in bytes of UTF-8. */
const valueBytesMax = bounds.valueBytes.limit

/** Characters that end a line, imitate a line end, or change the reading direction. */
const forging = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Whether a value, as a writer writes it, shows as it is: nothing in it is hidden or cut off. */
const isShown = (text: string): boolean => {
  const [line] = linesOf(escapeComments(`- @x: ${text}`)).lines
  return line?._tag === 'Item' && line.text === `@x: ${text}`
}

/** What a reader of another encoding puts in place of characters that it lost. */
const replacement = '\ufffd'

const manyMarks = /\p{M}{31}/u
