import { nfc, type RepoPath } from '#protocol/atoms.js'
import type { Finding, Severity } from './finding.js'
import type { HiddenBy, Line, LineNotice } from './lines.js'
import { tagOf } from './rows/rows.js'
import { isKnownTag } from './tag-schema.js'

/** Whether something of the line shows and is no code. */
export const isShown = (line: Line | undefined): line is Shown => line !== undefined && 'text' in line

/** A text without the marks that people put before a row, without emphasis and HTML, and with a plain colon. */
export const withoutMarks = (text: string): string => {
  const bare = nfc(text)
    .replace(htmlTags, '')
    .replace(/[*`\\]/gu, '')
    .replace('：', ':')
  return bare.slice(marks.exec(bare)?.[0].length ?? 0)
}

/**
 * The known tag with which a line begins after any marks; null when there is none. Without an at sign it counts
 * only in an item, and with a colon.
 */
export const tagMeant = (line: Shown): string | null => {
  const text = withoutMarks(line.text)
  return knownTag(wholeTag.exec(text)) ?? (line._tag === 'Item' ? knownTag(bareTag.exec(text)) : null)
}

/** A known tag that begins inside of a value, as where two rows were joined to one line; null when there is none. */
export const tagInside = (value: string): string | null => {
  for (const found of value.matchAll(laterTag)) {
    const tag = knownTag(/^.*[@＠]([\p{L}_]+)/u.exec(found[0]))
    if (tag !== null) return tag
  }
  return null
}

/** The tag of a line that is a row; null for every other line. */
export const rowTag = (line: Line | undefined): string | null =>
  line?._tag === 'Item' ? (tagOf(line.text)?.tag ?? null) : null

/**
 * The lines of a block that look like headings and are none: `#` after other marks or many blanks, and a line in
 * bold, an underlined or a plain one above the row with which another block would begin. Rows below it belong to
 * the heading above it. Above `@typ`, `@gameid` and `@status`, and `strictly` above any row, a line in bold or an
 * underlined one counts.
 */
export const headingsMeant = (below: ReadonlyArray<Line>, strictly: boolean): ReadonlyArray<Shown> => {
  const above = new Set<string>()
  const lastRow = below.findLastIndex(line => rowTag(line) !== null)
  return below.filter((line, at): line is Shown => {
    const own = rowTag(line)
    if (own !== null) above.add(own)
    if (own !== null || !isShown(line) || line._tag === 'Header') return false
    if (line._tag === 'Item' && isAbove(line, nextShown(below, at + 1))) return true
    if (titleMarks.test(line.text)) return !quoted.test(line.text) || at < lastRow
    if (line._tag !== 'Text' || line.indent > 0) return false
    if (underline.test(line.text) && below[at - 1]?._tag === 'Text') return false
    const next = nextShown(below, at + 1)
    const isUnderlined = isShown(next) && underline.test(next.text)
    const row = rowTag(isUnderlined ? nextShown(below, next.number - (below[0]?.number ?? 0) + 1) : next)
    if (row === null) return false
    const isSecond = firstTags.has(row) && above.has(row)
    return isSecond || ((strictly || headTags.has(row)) && (isUnderlined || boldLine.test(line.text)))
  })
}

/** Whether a line of text stands at the margin, where it ends the row above it and belongs to none. */
export const isAtMargin = (line: Line | undefined): boolean => line?._tag === 'Text' && line.indent === 0

/** Whether a line is a marker of a conflict whose other markers are gone. */
export const isStrayMarker = (line: Line): boolean => line._tag === 'Text' && /^([|=>])\1{6}/u.test(line.text)

/**
 * The headers of blocks that stand below a line that looks like the title of another section: marked, underlined, or in
 * bold above the first of them.
 */
export const headersAstray = (lines: ReadonlyArray<Line>): ReadonlySet<number> => {
  const astray = new Set<number>()
  let isAstray = false
  lines.forEach((line, at) => {
    if (line._tag === 'Header' && line.level <= 2) isAstray = false
    if (line._tag === 'Header' && line.level === 3 && isAstray) astray.add(line.number)
    if (line._tag !== 'Text' && line._tag !== 'Item') return
    const below = lines[at + 1]
    const isUnderlined = isAtMargin(line) && isShown(below) && sectionUnderline.test(below.text)
    const next = nextShown(lines, at + 1)
    const isAbove = next?._tag === 'Header' && next.level === 3
    const isTitle = /^<summary\b/iu.test(line.text) || boldLine.test(line.text)
    isAstray ||= isUnderlined || sectionMarks.test(line.text) || (isAbove && isAtMargin(line) && isTitle)
  })
  return astray
}

/** The findings about what the scanner noticed in a file; they repeat no text of it. */
export const lineFindings = (path: RepoPath, notices: ReadonlyArray<LineNotice>): ReadonlyArray<Finding> =>
  notices.map(notice => {
    const [kind, severity, reason, suggestion] = textOf(notice)
    return { kind, severity, file: path, line: notice.line, subject: null, reason, suggestion }
  })

/**
 * Lines that a person meant as a heading or as a row, and that the scanner reads as something else
 * (docs/spec/lore-format.md#near-misses).
 */

type Shown = Extract<Line, { readonly text: string }>

/** Everything that people put before a row by habit: dashes, dots, quotes, numbers, checkboxes, emphasis. */
const marks = /^(?:\[[ xX]\]|[^\p{L}\p{N}@＠#＃]|\(?[\p{L}\p{N}]{1,3}[.)]\s)*/u

const htmlTags = /<\/?[a-z][^<>]{0,200}>/giu

const wholeTag = /^[@＠]\s*([\p{L}_]{2,40})(?![\p{L}\p{N}_.@])/u
const bareTag = /^_?([\p{L}_]{2,40}?)_?\s*[:：]/u

/** The tag of role blocks, which no entity has. */
const isTag = (tag: string): boolean => isKnownTag(tag) || tag === 'chat_rola'

const knownTag = (found: RegExpExecArray | null): string | null => {
  const tag = (found?.[1] ?? '').toLowerCase().replace(/_$/u, '')
  return isTag(tag) ? tag : null
}

const laterTag = /[\s,;|>–—-][@＠]([\p{L}_]{2,40})\s*[:：]/gu

const titleMarks = /^[\s>*+\-–—•\\|]*(?:[#＃♯]{2,6}\s*|[#＃♯]\s+)(?=\S)/u
/** Marks of a quotation, a table or an escape, which prose has before a `#` too. */
const quoted = /^[>|\\]/u
const boldLine = /^(?:\*\*|__)(?!\s)(?:(?!\*\*|__).){1,200}(?:\*\*|__)\s*:?$|^<h[1-6]>.{1,200}$/u
const underline = /^(?:={3,}|-{3,})$/u

/** Tags that a block of its file has once, so that a second one begins another block. */
const firstTags: ReadonlySet<string> = new Set(['typ', 'gameid'])
/** Tags that nobody puts below a title inside of a block. */
const headTags: ReadonlySet<string> = new Set([...firstTags, 'status'])

/** The next line from `at` on of which something shows. */
const nextShown = (lines: ReadonlyArray<Line>, at: number): Line | undefined => {
  let next = at
  while (lines[next]?._tag === 'Blank' || lines[next]?._tag === 'Hidden') next += 1
  return lines[next]
}

/** Whether the rows of an item stand below it, as those of a block in the old layout. */
const isAbove = (line: Extract<Line, { _tag: 'Item' }>, below: Line | undefined): boolean =>
  tagMeant(line) === null && below?._tag === 'Item' && below.indent > line.indent && rowTag(below) !== null

const sectionMarks = /^(?:[\\>*+\s-]|\d{1,3}[.)])*#{1,2}\s+\S|^<h[12]\b/iu
const sectionUnderline = /^(?:=+|-{2,})$/u

type Text = readonly [kind: string, severity: Severity, reason: string, suggestion: string]

const unclosed: Readonly<Record<HiddenBy, Text>> = {
  Fence: [
    'UnclosedFence',
    'error',
    'Blok kodu nie jest zamknięty; reszta pliku nie jest czytana.',
    'Zamknij blok w osobnym wierszu tymi samymi znakami, którymi się zaczyna.',
  ],
  Comment: [
    'UnclosedComment',
    'error',
    'Komentarz nie jest zamknięty; reszta pliku nie jest czytana.',
    'Zakończ komentarz znakami -->.',
  ],
  Conflict: [
    'UnclosedConflict',
    'error',
    'Konflikt gita nie ma końca (>>>>>>>); reszta pliku nie jest czytana.',
    'Zostaw jedną z wersji i usuń znaczniki konfliktu.',
  ],
}

const others: Readonly<Record<Exclude<LineNotice['_tag'], 'HiddenText' | 'Unclosed'>, Text>> = {
  ConflictMarker: [
    'ConflictMarker',
    'error',
    'To znacznik konfliktu gita; nic między <<<<<<< a >>>>>>> nie jest czytane.',
    'Zostaw jedną z wersji i usuń znaczniki konfliktu.',
  ],
  CommentEnd: [
    'StrayCommentEnd',
    'warning',
    'Wiersz kończy komentarz, którego nic nie zaczyna.',
    'Usuń znaki --> albo wstaw <!-- na początku komentarza.',
  ],
  TightHeading: [
    'TightHeading',
    'warning',
    'Po znakach # brakuje odstępu; wiersz jest czytany jak nagłówek.',
    'Wstaw odstęp po znakach #.',
  ],
  EmptyHeading: [
    'EmptyHeading',
    'warning',
    'Nagłówek nie ma treści, więc wiersze pod nim do niczego nie należą.',
    'Dopisz nazwę po znakach # albo usuń nagłówek.',
  ],
}

const hiddenText = (by: HiddenBy, line: number, endLine: number): Text => {
  const [where, what] = by === 'Fence' ? ['bloku kodu', 'bloku'] : ['komentarzu', 'komentarza']
  const lines = line === endLine ? '' : ` (wiersze ${line}–${endLine})`
  return [
    'HiddenText',
    'info',
    `Nagłówki i wpisy w ${where}${lines} nie są czytane.`,
    `Jeśli mają obowiązywać, usuń znaki ${what}.`,
  ]
}

const textOf = (notice: LineNotice): Text => {
  if (notice._tag === 'HiddenText') return hiddenText(notice.by, notice.line, notice.endLine)
  return notice._tag === 'Unclosed' ? unclosed[notice.by] : others[notice._tag]
}
