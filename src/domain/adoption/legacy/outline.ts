import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Instant, instantOf, type RepoPath } from '#protocol/atoms.js'
import {
  compareDecimals,
  type Decimal,
  type Figures,
  figureOf,
  formatFixed2,
  numberAt,
  plus,
  readDecimal,
} from '#src/domain/lore/figures.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Line, type Lines, linesOf, shownOf } from '#src/domain/lore/lines.js'
import { sessionKey } from '#src/domain/lore/session-header.js'

/** A list item of a legacy file; `parent` is the index of its parent item, null for a root. */
export interface OutlineItem {
  readonly indent: number
  /** Text of the bullet, then its continuation lines joined by a newline. */
  readonly text: string
  readonly line: number
  readonly parent: number | null
  readonly children: ReadonlyArray<number>
}

/**
 * A header with everything until the next header of any level (FORMATS 0). The text before the first header
 * has level 0.
 */
export interface OutlineSection {
  readonly level: number
  readonly title: string
  readonly line: number
  readonly items: ReadonlyArray<OutlineItem>
  readonly roots: ReadonlyArray<number>
  /** Lines that belong to no item: plain text and everything inside fences. */
  readonly loose: ReadonlyArray<{ readonly line: number; readonly text: string }>
}

/**
 * Parses the sections and list items of a legacy Markdown text by the line model of FORMATS 0. Total and
 * linear.
 */
export const outlineOf = ({ path, text }: Pick<SourceFile, 'path' | 'text'>): Outline => {
  const scanned = linesOf(text)
  let section = openSection(0, '', 1)
  const sections = [section]
  const open: Array<number> = []
  for (const line of scanned.lines) {
    const last = section.items.at(-1)
    if (line._tag === 'Header') {
      section = openSection(line.level, line.text, line.number)
      sections.push(section)
      open.length = 0
    } else if (line._tag === 'Item')
      addItem(section, open, { indent: line.indent, text: line.text, line: line.number })
    else if (line._tag === 'Text' && line.indent > 0 && last !== undefined) last.text += `\n${line.text}`
    else if (line._tag !== 'Blank' && line._tag !== 'Hidden')
      section.loose.push({ line: line.number, text: shownOf(line) })
  }
  return { sections, findings: hiddenFindings(path, scanned) }
}

export const itemsAt = (
  section: OutlineSection,
  indexes: ReadonlyArray<number>,
): ReadonlyArray<OutlineItem> =>
  indexes.flatMap(index => {
    const item = section.items[index]
    return item === undefined ? [] : [item]
  })

/** The items below an item, at any depth, in file order. */
export const descendantsOf = (section: OutlineSection, item: OutlineItem): ReadonlyArray<OutlineItem> => {
  const found: OutlineItem[] = []
  const waiting = [...item.children].reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const below = section.items[next]
    if (below === undefined) continue
    found.push(below)
    waiting.push(...[...below.children].reverse())
  }
  return found
}

/**
 * The first `[name](target)` of a text; null when there is none. Searches from each `](` outwards, so the
 * time is linear in the text, however many brackets are open in it.
 */
export const linkIn = (text: string): Link | null => {
  for (let middle = text.indexOf(']('); middle !== -1; middle = text.indexOf('](', middle + 2)) {
    const behind = text.lastIndexOf(']', middle - 1) + 1
    const before = text.slice(Math.max(behind, middle - nameCharsMax - 1), middle)
    const after = text.slice(middle + 2, middle + 2 + targetCharsMax + 1)
    const [open, close] = [before.indexOf('['), after.indexOf(')')]
    const name = before.slice(open + 1)
    if (open !== -1 && name !== '' && close !== -1)
      return { name, target: after.slice(0, close), from: middle - name.length - 1, to: middle + close + 3 }
  }
  return null
}

export const figureNames = ['suma', 'startowe', 'zdobyte', 'nadmiar'] as const

export const noFigures: Figures = { suma: null, startowe: null, zdobyte: null, nadmiar: null }

/** The shortest decimal with a dot: `25.5`, `26`. */
export const pointsText = (value: Decimal): string => formatFixed2(value).replace(/\.00$|0$/u, '')

/** Whether SUMA, STARTOWE and ZDOBYTE are all known and do not add up. */
export const hasWrongSum = ({ suma, startowe, zdobyte }: Figures): boolean =>
  suma !== null &&
  startowe !== null &&
  zdobyte !== null &&
  compareDecimals(suma, plus(startowe, zdobyte)) !== 0

/** Parses the text after `PU:`: for each key the number or `BRAK` behind it. */
export const readLegacyPointsLine = (text: string): LegacyPointsLine => {
  const keys = [...text.matchAll(keyPattern)]
  const values = new Map<string, string>()
  const outside = [text.slice(0, keys[0]?.index)]
  for (const [at, key] of keys.entries()) {
    const after = text.slice(key.index + key[0].length, keys[at + 1]?.index)
    const length = valueLength(after)
    values.set((key[1] ?? '').toLowerCase(), after.slice(0, length).trim())
    outside.push(after.slice(length))
  }
  const of = (key: FigureName): Decimal | null => figureOf(values.get(key) ?? null)
  const truncated = figureNames.flatMap(key => {
    const value = of(key)
    const predecessor = figureOf((values.get(key) ?? '').split(',')[0] ?? null)
    if (value === null || predecessor === null || compareDecimals(value, predecessor) === 0) return []
    return [{ key, value, predecessor }]
  })
  const rounded = figureNames.flatMap(key => {
    const written = values.get(key) ?? ''
    return isRounded(written) ? [{ key, written }] : []
  })
  const rest = outside.join(' ')
  return {
    figures: { suma: of('suma'), startowe: of('startowe'), zdobyte: of('zdobyte'), nadmiar: of('nadmiar') },
    truncated,
    rounded,
    rest: /[\p{L}\p{N}]/u.test(rest) ? rest.replace(/[\s,;]+/gu, ' ').trim() : '',
  }
}

/** The finding with every text redacted, because a report is answered and logged. */
export const findingOfNotice = (noticed: LegacyNotice): Finding => ({
  kind: noticed.kind,
  severity: noticed.severity,
  file: noticed.file,
  line: noticed.line,
  subject: noticed.subject === undefined ? null : redactWebhooks(noticed.subject),
  reason: redactWebhooks(noticed.reason),
  suggestion: noticed.suggestion === undefined ? null : redactWebhooks(noticed.suggestion),
  ...(noticed.missing === undefined ? {} : { missing: noticed.missing }),
})

/** A finding about the progress of the predecessor's own migration, for information only (FORMATS 9). */
export const migrationFindings = (file: SourceFile | undefined): ReadonlyArray<Finding> => {
  if (file === undefined) return []
  const parsed = tryCatch<unknown, unknown>(
    () => JSON.parse(file.text),
    error => error,
  )
  const state = isLeft(parsed) ? parsed : State.decode(parsed.right)
  const said = isLeft(state)
    ? 'cannot be read'
    : Object.entries(state.right.Phases)
        .map(([phase, { Status }]) => `phase ${phase} ${Status}`)
        .join(', ')
  return [
    findingOfNotice({
      kind: 'LegacyMigrationState',
      severity: 'info',
      file: file.path,
      line: null,
      reason: `The predecessor's migration state: ${said}. Adoption does not depend on it.`,
    }),
  ]
}

/** One run of the predecessor's PU batch (FORMATS 6.3). */
export interface HistoryRun {
  /** The stamp as written, `2025-01-15 14:30 (UTC+01:00)`; null for entries above the first stamp. */
  readonly stamp: string | null
  readonly at: Instant
  readonly line: number
  readonly sessions: ReadonlyArray<{ readonly header: string; readonly line: number }>
}

export interface History {
  readonly runs: ReadonlyArray<HistoryRun>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Parses the history of settled sessions. Text that is no entry is a finding; an entry without a stamp keeps
 * its session.
 */
export const readHistory = (file: SourceFile | undefined): History => {
  if (file === undefined) return { runs: [], findings: [] }
  const runs: Array<GrowingRun> = []
  const findings: Array<Finding> = []
  const stray = (line: number, text: string): void => {
    if (!/[\p{L}\p{N}]/u.test(text)) return
    const reason = `Not an entry of the PU history, not adopted: "${text.trim()}".`
    findings.push(findingOfNotice({ kind: 'UnplacedText', severity: 'info', file: file.path, line, reason }))
  }
  const runFor = (line: number): GrowingRun => {
    const last = runs.at(-1)
    if (last !== undefined) return last
    const reason = 'There are sessions before the first time stamp; they count as settled at an unknown time.'
    findings.push(
      findingOfNotice({ kind: 'HistoryUndated', severity: 'warning', file: file.path, line, reason }),
    )
    const run: GrowingRun = { stamp: null, at: instantOf(0), line, sessions: [] }
    runs.push(run)
    return run
  }
  const outline = outlineOf(file)
  for (const section of outline.sections) {
    if (section.level > 0 && section.title !== 'Historia') stray(section.line, section.title)
    for (const { line, text } of section.loose) stray(line, text)
    for (const item of section.items) {
      const header = headerOf(item.text)
      const at = instantAt(item.text)
      if (header !== null) runFor(item.line).sessions.push({ header, line: item.line })
      else if (at === null) stray(item.line, item.text)
      else runs.push({ stamp: item.text.replace(/(?<!\s)\s*:$/u, ''), at, line: item.line, sessions: [] })
    }
  }
  return { runs, findings: [...findings, ...outline.findings] }
}

/** Whether a value is a hashed key as the contributor store holds it. */
export const isHashedKey = (value: string): boolean => /^sha256:[0-9a-f]{64}$/u.test(value)

/** Whether the text is nothing but a webhook address. */
export const isWebhook = (value: string): boolean =>
  /^https:\/\/[^\s/]{1,200}\/api\/webhooks\/\S+$/iu.test(value.trim())

export const holdsWebhook = (text: string): boolean => text.search(webhookPattern) >= 0

export const redactWebhooks = (text: string): string => text.replace(webhookPattern, '[webhook]')

/** The advice in findings about a credential that was in the clear. */
export const revoke = 'Revoke it, because everybody with a copy of the repository can use it.'

interface GrowingItem {
  readonly indent: number
  text: string
  readonly line: number
  readonly parent: number | null
  readonly children: Array<number>
}

interface GrowingSection {
  readonly level: number
  readonly title: string
  readonly line: number
  readonly items: Array<GrowingItem>
  readonly roots: Array<number>
  readonly loose: Array<{ readonly line: number; readonly text: string }>
}

const openSection = (level: number, title: string, line: number): GrowingSection => ({
  level,
  title,
  line,
  items: [],
  roots: [],
  loose: [],
})

/** Adds an item. `open` holds the indexes of the items that may still get children, outermost first. */
const addItem = (
  section: GrowingSection,
  open: Array<number>,
  item: { readonly indent: number; readonly text: string; readonly line: number },
): void => {
  while (open.length > 0) {
    const last = section.items[open.at(-1) ?? -1]
    if (last !== undefined && last.indent < item.indent) break
    open.pop()
  }
  const parent = open.at(-1) ?? null
  const at = section.items.length
  section.items.push({ ...item, parent, children: [] })
  if (parent === null) section.roots.push(at)
  else section.items[parent]?.children.push(at)
  open.push(at)
}

/** A legacy file, with the findings about what it hides. */
interface Outline {
  readonly sections: ReadonlyArray<OutlineSection>
  readonly findings: ReadonlyArray<Finding>
}

/** The findings about comments and conflicts, each by its first line. Fences are loose text of their section. */
const hiddenFindings = (file: RepoPath, { lines, notices }: Lines): ReadonlyArray<Finding> => {
  const isHidden = (line: Line | undefined): boolean =>
    line?._tag === 'Hidden' || line?.comments !== undefined
  const finding = (kind: string, severity: Severity, line: number, reason: string): Finding =>
    findingOfNotice({ kind, severity, file, line, reason, suggestion: 'Correct the file and adopt again.' })
  const faults = notices.flatMap(notice => {
    if (notice._tag === 'ConflictMarker')
      return [finding('ConflictMarker', 'error', notice.line, 'A marker of a git conflict stands here.')]
    if (notice._tag !== 'Unclosed') return []
    const reason = 'What begins here is never closed, so nothing below it was adopted.'
    return [finding(`Unclosed${notice.by}`, 'error', notice.line, reason)]
  })
  const hidden = lines.filter((line, at) => isHidden(line) && !isHidden(lines[at - 1]))
  const reason = 'The text in a comment, or between the markers of a git conflict, was not adopted.'
  return [...faults, ...hidden.map(({ number }) => finding('HiddenText', 'info', number, reason))]
}

const nameCharsMax = 400
const targetCharsMax = 1000

/** A `[name](target)` as written, with its offsets in the text. */
interface Link {
  readonly name: string
  readonly target: string
  readonly from: number
  readonly to: number
}

type FigureName = keyof Figures

/** Whether a written value has more decimals than PU are stored with. */
const isRounded = (written: string): boolean => {
  const [exact, held] = [readDecimal(written), figureOf(written)]
  return exact !== null && held !== null && compareDecimals(exact, held) !== 0
}

const keyPattern = /(NADMIAR|STARTOWE|SUMA|ZDOBYTE)\s{0,8}:/giu

/** What ends a value besides the next key. Commas are both decimal marks and separators (FORMATS 2.2). */
const separator = /;|,(?!\d)/u

/**
 * A PU line parsed by the correct grammar, with what the predecessor would have read instead and the text
 * outside keys and values.
 */
interface LegacyPointsLine {
  readonly figures: Figures
  readonly truncated: ReadonlyArray<{
    readonly key: FigureName
    readonly value: Decimal
    readonly predecessor: Decimal
  }>
  /** Values with more than two places, as written. */
  readonly rounded: ReadonlyArray<{ readonly key: FigureName; readonly written: string }>
  /** Text that is neither a key nor its value; empty when there is none. */
  readonly rest: string
}

/** The length of the number, or of `BRAK`, at the start of the text after a key; 0 when it is neither. */
const valueLength = (text: string): number => {
  const [part = ''] = text.split(separator, 1)
  const none = /^\s{0,8}BRAK(?![\p{L}\p{N}])/iu.exec(part)
  return none === null ? (numberAt(part, 0, 'minus')?.end ?? 0) : none[0].length
}

/**
 * A finding of a legacy parser or a step of adoption before redaction. `kind` is PascalCase, except
 * `pu-niespójne`.
 */
interface LegacyNotice {
  readonly kind: string
  readonly severity: Severity
  readonly file: RepoPath
  readonly line: number | null
  readonly subject?: string
  readonly reason: string
  readonly suggestion?: string
  readonly missing?: Finding['missing']
}

const Phase = t.type({ Status: t.string })
const State = t.type({ Phases: t.record(t.string, Phase) })

const stampPattern = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) \(UTC([+-]\d{2}:\d{2})\)\s{0,8}:?$/u

const instantAt = (stamp: string): Instant | null => {
  const found = stampPattern.exec(stamp)
  if (found === null) return null
  const epochMs = Date.parse(`${found[1] ?? ''}T${found[2] ?? ''}:00${found[3] ?? ''}`)
  return Number.isNaN(epochMs) ? null : instantOf(epochMs)
}

interface GrowingRun {
  readonly stamp: string | null
  readonly at: Instant
  readonly line: number
  readonly sessions: Array<{ readonly header: string; readonly line: number }>
}

const headerOf = (text: string): string | null => (/^#{3}(?!#)/u.test(text) ? sessionKey(text) : null)

/**
 * Credentials of the legacy layout (D36): URLs with write access, and raw keys. They are never copied into an
 * adopted file or a finding. The pattern accepts any host, because only the path of a webhook is fixed.
 */
const webhookPattern = /https?:\/\/[^\s/)\]>"']{1,200}\/api\/webhooks\/[^\s)\]>"']*/giu
