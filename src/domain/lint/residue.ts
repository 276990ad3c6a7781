import { type NameKey, nameKey } from '#protocol/atoms.js'
import { type Entities, typeOf } from '#src/domain/entities/entity.js'
import { twinsOf } from '#src/domain/entities/reading.js'
import { parseBlocksInSlices } from '#src/domain/lore/blocks.js'
import { type Finding, firstOfEachKind, type Severity } from '#src/domain/lore/finding.js'
import { type FileRole, roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import { type Line, readLinesInSlices } from '#src/domain/lore/lines.js'
import {
  headingsMeant,
  isAtMargin,
  isShown,
  rowTag,
  tagInside,
  tagMeant,
  withoutMarks,
} from '#src/domain/lore/near-misses.js'
import type { Block } from '#src/domain/lore/rows/row-change.js'
import { tagOf } from '#src/domain/lore/rows/rows.js'
import {
  type BlockHead,
  blockHead,
  readHeader,
  readPointsLine,
  readTransferLine,
} from '#src/domain/lore/session-header.js'
import { tagRules } from '#src/domain/lore/tag-schema.js'
import { quotableLine } from '#src/domain/lore/topic-text.js'
import { characterNameOf } from '#src/domain/people/character-file.js'
import { type CharacterFile, characterSections, sectionHeader } from '#src/domain/people/section-body.js'
import { readSection, type SectionBlock, sessionBlocks } from '#src/domain/sessions/reading/section.js'
import { forEachNestedInSlices, type Sliced } from '#src/domain/slicing/sliced.js'

/**
 * The residue of a file: what its reader did not use although a person meant it to be used
 * (docs/spec/lore-format.md#near-misses). The readers report what they could not parse; this check reports what
 * they took for prose.
 */
export const residueInSlices = function* (file: SourceFile): Sliced<ReadonlyArray<Finding>> {
  const known = checked.get(file)
  if (known !== undefined) return known
  const check = checks[roleOf(file.path)]
  const found = check === undefined || file.undecodable ? [] : firstOfEachKind(yield* check(file))
  checked.set(file, found)
  return found
}

/** Findings for character files that nothing reads: another file has the same name, or no Postać has it. */
export const residueOfCharacterFiles = ({
  files,
  characterFiles,
  entities,
}: CharacterGround): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const read = new Set<string>()
  for (const file of characterFiles.values()) {
    read.add(file.path)
    if (entities.byHeading.get(file.key)?.some(({ type }) => type === 'Postać') !== true)
      reportTo(file, findings)('CharacterUnknown', null, file.name)
  }
  for (const file of files.values()) {
    if (roleOf(file.path) !== 'character' || read.has(file.path)) continue
    const name = characterNameOf(file.path)
    const other = characterFiles.get(nameKey(name))?.path ?? ''
    reportTo(file, findings)('DuplicateCharacterFile', null, name, `czytany jest tylko „${other}”`)
  }
  return findings
}

/** The kind of a finding about a file whose blocks nothing reads, unless a `@ref` names the file. */
export const blocksElsewhere = 'BlocksElsewhere'

/** What `residueOfCharacterFiles` compares. */
interface CharacterGround {
  readonly files: ReadonlyMap<string, SourceFile>
  readonly characterFiles: ReadonlyMap<NameKey, Pick<CharacterFile, 'path' | 'key' | 'name'>>
  readonly entities: Pick<Entities, 'byHeading'>
}

const checked = new WeakMap<SourceFile, ReadonlyArray<Finding>>()

const checks: Readonly<Partial<Record<FileRole, (file: SourceFile) => Sliced<ReadonlyArray<Finding>>>>> = {
  index: file => ofBlocks(file),
  contributors: file => ofBlocks(file),
  sessions: file => ofSessions(file),
  character: file => ofCharacter(file),
}

type Shown = Extract<Line, { readonly text: string }>
type Header = Extract<Line, { readonly _tag: 'Header' }>

/** Reports a line of a file. */
type Report = (kind: Kind, line: number | null, subject: string | null, about?: string) => void

const kinds = {
  UnreadHeading: [
    'warning',
    'Wiersz wygląda jak nagłówek, ale nim nie jest',
    'Zacznij go znakami „### ”; teraz wiersze pod nim należą do nagłówka powyżej albo nie są czytane.',
  ],
  UnreadSection: [
    'warning',
    'Wiersz wygląda jak tytuł sekcji, ale żadnej nie zaczyna',
    'Zapisz „**Nazwa:**” na początku wiersza.',
  ],
  HeadingLevel: [
    'warning',
    'Nagłówek tego poziomu niczego nie zaczyna',
    'Zacznij go znakami „### ”; teraz wiersze pod nim należą do nagłówka powyżej albo nie są czytane.',
  ],
  UnreadRow: [
    'warning',
    'Wiersz wygląda jak znacznik, ale nie jest czytany',
    'Zapisz „- @znacznik: wartość”.',
  ],
  JoinedRows: [
    'warning',
    'W wartości jest drugi znacznik, który nie jest czytany',
    'Zapisz każdy znacznik w osobnym wierszu.',
  ],
  UnreadRange: [
    'warning',
    'Dni na końcu wiersza są częścią wartości, a nie zakresem',
    'Zapisz je jako „(RRRR-MM:RRRR-MM)”.',
  ],
  RowBelowText: [
    'error',
    'Wiersze pod zwykłym tekstem nie dają nikomu żadnych praw',
    'Przenieś tekst na koniec bloku albo zapisz go jako „- @info: …”.',
  ],
  RowOutside: [
    'warning',
    'Wiersz nie leży pod żadnym nagłówkiem „### ”, więc nie jest czytany',
    'Przenieś go pod nagłówek bloku, którego dotyczy.',
  ],
  DuplicateBlock: [
    'error',
    'Drugi blok tego typu i tej nazwy w tym samym pliku',
    'Połącz oba bloki w jeden; do tego czasu host żadnego z nich nie zmieni.',
  ],
  UnreadBlock: [
    'warning',
    'Wiersz wygląda jak blok sesji, ale jest czytany jak zwykły tekst',
    'Zapisz blok jako „- @Nazwa:” bez wcięcia, pod nagłówkiem sesji.',
  ],
  UnreadEntry: [
    'warning',
    'Wiersz bloku nie jest osobnym wpisem i nie jest czytany',
    'Zapisz go jako „    - …”, z wcięciem pozostałych wpisów.',
  ],
  UnreadPoints: [
    'error',
    'Wiersz wygląda jak PU, ale nikomu się nie liczy',
    'Zapisz go pod „- @PU:” jako „    - Nazwa: 0.3”.',
  ],
  DuplicateCharacterFile: [
    'error',
    'Inny plik ma nazwę tej samej Postaci, zapisaną innymi znakami',
    'Połącz oba pliki w jeden.',
  ],
  CharacterUnknown: [
    'info',
    'Żadna Postać nie ma takiego nagłówka, więc pliku nic nie czyta',
    'Nazwij plik dokładnie tak, jak brzmi nagłówek Postaci.',
  ],
  [blocksElsewhere]: [
    'warning',
    'Plik ma bloki, ale nie leży tam, gdzie są czytane',
    'Przenieś bloki do pliku w „encje/”, a osoby do „kontrybutorzy.md”.',
  ],
} as const satisfies Readonly<Record<string, readonly [Severity, string, string]>>
type Kind = keyof typeof kinds

const reportTo =
  ({ path }: Pick<SourceFile, 'path'>, findings: Array<Finding>): Report =>
  (kind, line, subject, about) => {
    const [severity, reason, suggestion] = kinds[kind]
    const said = about === undefined ? `${reason}.` : `${reason}: ${about}.`
    findings.push({ kind, severity, file: path, line, subject, reason: said, suggestion })
  }

const quote = (text: string): string => `„${quotableLine(text.split('\n')[0] ?? '')}”`

/** Days at the end of a row in other brackets, or with a dash or a word between them. */
const rangesLike = [
  /[[{]\s{0,3}\d{4}[\d-]{0,6}\s{0,3}:[^\]}]{0,20}[\]}]\.?$/u,
  /\(\s{0,3}(?:od\s{1,3})?\d{4}[\d-]{0,6}\s{0,3}(?:[–—-]|do)\s{0,3}\d{4}[\d-]{0,6}\s{0,3}\)\.?$/u,
]

/** Whether a row that may be dated ends in days that are written in another form than a range. */
const isUndated = (line: Shown, tag: string): boolean =>
  tagRules.some(rule => rule.tag === tag && rule.dated) && rangesLike.some(range => range.test(line.text))

/** The lines of a block that are no rows, and are meant as rows or headings. */
const inBlock = (block: Block, below: ReadonlyArray<Line>, isStore: boolean, report: Report): void => {
  const { heading } = block
  const rows = new Set(block.rows.map(row => row.line))
  const meant = new Set<Line>(headingsMeant(below, isStore))
  let deep: Header | null = null
  /** The line of the first text at the margin above rows of the store; null without one. */
  let textLine: number | null = null
  for (const line of below) {
    if (!isShown(line)) continue
    const tag = rowTag(line)
    if (tag !== null && textLine !== null) report('RowBelowText', textLine, heading)
    if (tag !== null) textLine = null
    else if (isStore && isAtMargin(line)) textLine ??= line.number
    if (line._tag === 'Header') deep = line
    else if (meant.has(line))
      report('UnreadHeading', line.number, heading, isStore ? undefined : quote(line.text))
    else if (tag !== null) {
      if (deep !== null && rows.has(line.number)) {
        report('HeadingLevel', deep.number, heading, `„${deep.text}”`)
        deep = null
      }
      if (isUndated(line, tag)) report('UnreadRange', line.number, heading, `@${tag}`)
      const inside = tagInside(line.text)
      if (inside !== null) report('JoinedRows', line.number, heading, `@${inside}`)
    } else {
      const like = tagMeant(line)
      // Items that begin with an at sign have the finding TagWithoutColon of the reader.
      if (like !== null && !(line._tag === 'Item' && line.text.startsWith('@')))
        report('UnreadRow', line.number, heading, `@${like}`)
    }
  }
}

const ofBlocks = function* (file: SourceFile): Sliced<ReadonlyArray<Finding>> {
  const { lines } = yield* readLinesInSlices(file.text)
  const { blocks, outside } = yield* parseBlocksInSlices(file)
  const findings: Array<Finding> = []
  const report = reportTo(file, findings)
  const isStore = roleOf(file.path) === 'contributors'
  if (!isStore)
    for (const [first, ...others] of twinsOf(blocks, file.path))
      for (const { line, heading } of others)
        report('DuplicateBlock', line, heading, `pierwszy zaczyna się w wierszu ${first?.line ?? 1}`)
  yield* forEachNestedInSlices(blocks, function* (block) {
    inBlock(block, lines.slice(block.line, block.endLine), isStore, report)
    yield
  })
  let section: Header | null = null
  for (const { line: number } of outside) {
    const line = lines[number - 1]
    if (!isShown(line)) continue
    if (line._tag === 'Header') section = line
    // Rows of a role stand below `## Role <name>` itself.
    else if (
      !(isStore && /^rol[ea]\s/iu.test(section?.text ?? '')) &&
      (rowTag(line) ?? tagMeant(line)) !== null
    )
      report('RowOutside', number, section?.text ?? null)
  }
  return findings
}

/** Other names that people give to a block of PU. */
const pointsName = /^@?(?:p\.\s?u\.?|punkty(?:\s+umiejętności)?)(?=\s*:)/iu

/** A block of a session that a line is meant to begin; null for every other line. */
const headMeant = (line: Shown, below: ReadonlyArray<Line>, at: number): BlockHead | null => {
  const next = below[at + 1]
  const cell = line.text.startsWith('|') ? (line.text.split('|')[1] ?? '').trim() : line.text
  const isCell = cell !== line.text && isShown(next) && next.text.startsWith('|')
  const text = withoutMarks(cell).replace(/^＠/u, '@').replace(/_$/u, '').replace(pointsName, '@PU')
  const head = blockHead(text)
  if (head === null || head.kind === 'Preserved') return null
  if (head.at) return head
  if (!head.plain) return null
  if (head.inline === '' && head.kind === 'Points' && pointsFollow(below, at)) return head
  if (head.inline === '') return isCell || line._tag === 'Header' || next?._tag === 'Item' ? head : null
  const isMeant =
    (head.kind === 'Points' && /\d/u.test(head.inline)) ||
    (head.kind === 'Transfer' && readTransferLine(head.inline) !== null) ||
    (head.kind === 'Locations' && line.text.startsWith('*') && line.text.endsWith('*'))
  return isMeant ? head : null
}

/** Whether a text gives points to a character, as a line of PU or as a row of a table. */
const isPoints = (text: string): boolean => {
  const cells = text.split('|').filter(cell => cell.trim() !== '')
  const { character, value } = readPointsLine(
    withoutMarks(text.startsWith('|') ? cells.slice(0, 2).join(':') : text),
  )
  return character !== '' && value !== null
}

/** Whether one of the next lines up to the third gives points, or begins a table. */
const pointsFollow = (below: ReadonlyArray<Line>, at: number): boolean =>
  below
    .slice(at + 1, at + 4)
    .some(line => isShown(line) && (line.text.startsWith('|') || isPoints(line.text)))

const likeEntry = /^(?:[–—•·‣◦●▪►]|-\S|\d{1,3}\)|\*\S)/u

/** The lines of a block of a session that are in no entry of their own. */
const inSessionBlock = (
  { head, item }: SectionBlock,
  span: ReadonlyArray<Line>,
  session: string,
  report: Report,
) => {
  if (head.kind === 'Preserved') return
  const entries = new Set(item.children.map(child => child.line))
  for (const line of span.slice(1)) {
    if (!isShown(line) || line._tag === 'Header' || entries.has(line.number)) continue
    const { number, text } = line
    // The reader of Zmiany reports each of its items.
    if (head.kind === 'Changes' && line._tag === 'Item') continue
    const tag = head.kind === 'Changes' ? tagMeant(line) : null
    if (tag !== null) report('UnreadRow', number, session, `@${tag}`)
    else if (head.kind === 'Points' && isPoints(text)) report('UnreadPoints', number, session, quote(text))
    else if (line._tag === 'Item' || (likeEntry.test(text) && (head.kind !== 'Intel' || text.includes(':'))))
      report('UnreadEntry', number, session, quote(text))
  }
}

/**
 * Lines below a block of PU that give points and are in no block: those right below it, or below one without entries,
 * and further down those with a fraction, which other lists rarely have.
 */
const pointsBelow = (
  { item, head, endLine }: SectionBlock,
  lines: ReadonlyArray<Line>,
  used: ReadonlySet<number>,
): ReadonlyArray<Shown> => {
  const isEmpty = item.children.length === 0 && head.inline === ''
  const found: Array<Shown> = []
  let isNear = true
  for (const line of lines) {
    if (line.number <= endLine || used.has(line.number) || (line._tag === 'Blank' && isEmpty)) continue
    const isMeant = isShown(line) && isPoints(line.text) && (isNear || /\d[.,]\d/u.test(line.text))
    if (isMeant) found.push(line)
    else isNear = false
  }
  return found
}

const inSession = (header: Header, below: ReadonlyArray<Line>, report: Report): void => {
  const { text: session, number: above } = header
  const section = readSection(below)
  const used = new Set<number>(section.stray.map(({ line }) => line))
  for (const { line, endLine } of section.blocks)
    for (let number = line; number <= endLine; number += 1) used.add(number)
  for (const block of section.blocks)
    inSessionBlock(block, below.slice(block.line - above - 1, block.endLine - above), session, report)
  const points = section.blocks.find(({ head }) => head.kind === 'Points')
  if (points !== undefined)
    for (const line of pointsBelow(points, below, used))
      report('UnreadPoints', line.number, session, quote(line.text))
  below.forEach((line, at) => {
    if (!isShown(line) || used.has(line.number) || ('indent' in line && line.indent > 0)) return
    const head = headMeant(line, below, at)
    const isRead = head?.kind === 'Locations' && section.italic !== null && line.text.includes(section.italic)
    if (head !== null && !isRead) report('UnreadBlock', line.number, session, `„${head.name}”`)
  })
}

/** How many lines below a line are looked at to find out what it was meant as. */
const linesAhead = 200

/** Whether a block that only a session has stands among the lines from an index up to the next header. */
const holdsBlock = (lines: ReadonlyArray<Line>, from: number): boolean => {
  const below = lines.slice(from, from + linesAhead)
  const end = below.findIndex(line => line._tag === 'Header')
  return sessionBlocks(end < 0 ? below : below.slice(0, end)).length > 0
}

/**
 * The header of a session that a line was meant as; null for every other line. Prose dates its paragraphs too, so a
 * title and a narrator are needed, or a block below.
 */
const sessionMeant = (lines: ReadonlyArray<Line>, at: number, hasSessions: boolean): string | null => {
  const line = lines[at]
  if (!isShown(line) || (line._tag === 'Header' && line.level === 3) || line.text.startsWith('|')) return null
  const text = withoutMarks(withoutMarks(line.text).replace(/^[#＃\s]+/u, ''))
  if (!/^\d{4}-\d{2}-\d{2}/u.test(text) || readHeader(text)._tag !== 'Session') return null
  const isNamed = text.split(',').length > 2
  const isMarked = line._tag === 'Header' || !/^[\p{L}\p{N}]/u.test(line.text)
  if (isNamed && isMarked && (hasSessions || line._tag === 'Header')) return text
  const isTitle =
    isMarked || (isNamed && line._tag === 'Text' && line.indent === 0 && !/[.!?…:]$/u.test(text))
  return isTitle && holdsBlock(lines, at + 1) ? text : null
}

/** Whether the first row below a header is that of an entity or of a person. */
const beginsBlock = (below: ReadonlyArray<Line>): boolean => {
  const first = below.find(line => line._tag !== 'Blank' && line._tag !== 'Hidden')
  const row = first?._tag === 'Item' ? tagOf(first.text) : null
  if (row?.tag === 'gameid') return /^\d+/u.test(row.value)
  return row?.tag === 'typ' && typeOf(row.value) !== null
}

const ofSessions = function* (file: SourceFile): Sliced<ReadonlyArray<Finding>> {
  const { lines } = yield* readLinesInSlices(file.text)
  const findings: Array<Finding> = []
  const report = reportTo(file, findings)
  const starts = lines.filter((line): line is Header => line._tag === 'Header' && line.level <= 3)
  const astray: Array<number> = []
  yield* forEachNestedInSlices([null, ...starts].entries(), function* ([at, header]) {
    const below = lines.slice(header?.number ?? 0, (starts[at]?.number ?? lines.length + 1) - 1)
    if (header?.level === 3 && readHeader(header.text)._tag === 'Session') inSession(header, below, report)
    else if (header?.level !== 3)
      for (const { head, item, line } of sessionBlocks(below))
        if (head.at || (head.kind === 'Points' && item.children.some(one => isPoints(one.text))))
          report('UnreadBlock', line, header?.text ?? null, `„${head.name}”`)
    if (header?.level === 3 && beginsBlock(below)) astray.push(header.number)
    yield
  })
  const hasSessions = starts.some(({ level, text }) => level === 3 && readHeader(text)._tag === 'Session')
  for (const [at, line] of lines.entries()) {
    const meant = sessionMeant(lines, at, hasSessions)
    if (meant !== null)
      report(line._tag === 'Header' ? 'HeadingLevel' : 'UnreadHeading', line.number, null, quote(meant))
  }
  for (const line of astray.slice(0, 1)) report(blocksElsewhere, line, null)
  return findings.sort((left, right) => (left.line ?? 0) - (right.line ?? 0))
}

const sectionNames: ReadonlySet<string> = new Set([
  ...characterSections,
  'tematy zastrzezone',
  'dodatkowe notatki',
])

/** Lines with the title of a section in another form than that of a section. */
const ofCharacter = function* (file: SourceFile): Sliced<ReadonlyArray<Finding>> {
  const { lines } = yield* readLinesInSlices(file.text)
  const findings: Array<Finding> = []
  const report = reportTo(file, findings)
  for (const line of lines) {
    if (line._tag === 'Header' && line.level === 3 && readHeader(line.text)._tag === 'Session') break
    if (!isShown(line) || sectionHeader(line) !== null) continue
    const title = withoutMarks(line.text).replace(/[\s_]{1,5}$/u, '')
    const isMarked = line._tag === 'Header' || title.endsWith(':')
    if (isMarked && sectionNames.has(nameKey(title.replace(/[\s:]{1,5}$/u, ''))))
      report('UnreadSection', line.number, null, `„${title}”`)
  }
  return findings
}
