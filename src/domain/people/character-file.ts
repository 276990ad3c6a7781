import { isLeft } from 'fp-ts/lib/Either.js'
import { nameKey, RepoPath } from '#protocol/atoms.js'
import type { View } from '#src/domain/callers/caller.js'
import { headingOf } from '#src/domain/lore/blocks.js'
import type { Finding, Severity } from '#src/domain/lore/finding.js'
import { pathSegment, type SourceFile } from '#src/domain/lore/layout.js'
import { type Line, readLinesInSlices } from '#src/domain/lore/lines.js'
import { lineFindings } from '#src/domain/lore/near-misses.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import { reputationOf } from './reputation.js'
import {
  type CharacterFile,
  type CharacterSection,
  entriesOf,
  isNone,
  lineText,
  parseDescribedSession,
  type SectionBody,
  sectionHeader,
} from './section-body.js'
import { findWithheld } from './visible-document.js'

/** The name of the Postać that a file describes. */
export const characterNameOf = (path: string): string =>
  headingOf(path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/iu, ''))

/**
 * Parses a character file (FORMATS 3); yields between its steps. Never throws: a line that belongs to no
 * section is a finding and stays in the file.
 */
export const parseCharacterFileInSlices = function* (
  file: Pick<SourceFile, 'path' | 'text'>,
): Sliced<CharacterFile> {
  const { lines: written, notices } = yield* readLinesInSlices(file.text)
  // Credentials are in no answer (D36).
  const secret = findWithheld(written, true)
  const lines = secret.size === 0 ? written : written.filter(line => !secret.has(line.number))
  yield
  const read = fileOf(file, lines)
  const whole = { ...read, findings: [...lineFindings(file.path, notices), ...read.findings] }
  yield
  const withheld = findWithheld(lines, false)
  if (withheld.size === 0) return whole
  const topics = topicLines(lines)
  if ([...withheld].every(number => topics.has(number))) return whole
  const open = fileOf(
    file,
    lines.filter(line => !withheld.has(line.number)),
  )
  return { ...whole, open: { ...open, findings: [] } }
}

/** Runs `parseCharacterFileInSlices` to its end without yielding. */
export const parseCharacterFile = (file: Pick<SourceFile, 'path' | 'text'>): CharacterFile =>
  atOnce(parseCharacterFileInSlices(file))

/**
 * The path of a Postać's file. Only the name connects the two (FORMATS 3). Throws for a name that makes no
 * path.
 */
export const characterPath = (name: string): RepoPath => {
  const path = RepoPath.decode(`Postaci/Gracze/${pathSegment(name)}.md`)
  if (isLeft(path)) throw new Error('a name is no path segment')
  return path.right
}

/** The text of a new character file: the sections of FORMATS 3 in order, each with the word for empty. */
export const characterTemplate = (sheet: string | null): string =>
  [
    `**Karta Postaci:**${sheet === null ? '' : ` ${sheet}`}`,
    '',
    '**Tematy zastrzeżone:**',
    'Brak.',
    '',
    '**Stan:**',
    'Zdrowy.',
    '',
    '**Przedmioty specjalne:**',
    'Brak.',
    '',
    '**Reputacja:**',
    '- Pozytywna: ',
    '- Neutralna: ',
    '- Negatywna: ',
    '',
    '**Dodatkowe informacje:**',
    '- Brak.',
    '',
    '**Opisane sesje:**',
    '',
    '[[_TOC_]]',
    '',
  ].join('\n')

/** A character file as a caller may see it. */
export const fileFor = (view: View, file: CharacterFile | null): CharacterFile | null =>
  view.mayReadRestricted ? file : (file?.open ?? file)

/** Splits a character file into its sections (FORMATS 3). */
export const sectionsOf = (lines: ReadonlyArray<Line>): Sections => {
  const reading: Reading = {
    bodies: new Map(),
    described: [],
    unknown: [],
    repeated: [],
    open: null,
    stage: 'sections',
  }
  for (const line of lines) take(reading, line)
  const bodies = new Map<CharacterSection, SectionBody>()
  for (const [section, body] of reading.bodies)
    bodies.set(section, { line: body.line, inline: body.inline.join(' '), lines: body.lines })
  const { described, unknown, repeated } = reading
  return { bodies, described, unknown, repeated }
}

const empty: SectionBody = { line: 1, inline: '', lines: [] }

const sheetText = (body: SectionBody): string => {
  const first = body.inline === '' ? body.lines.map(lineText).find(text => text !== '') : body.inline
  return (first ?? '').trim()
}

/** The URL of a sheet, without `<…>` or a Markdown link around it; null for a placeholder. */
const addressOf = (text: string): string | null => {
  const link = /^\[[^\]]*\]\(([^()\s]+)\)$/u.exec(text)?.[1]
  const bare = (link ?? text).replace(/^<|>$/gu, '').trim()
  return /^https?:\/\/\S+$/iu.test(bare) ? bare : null
}

const oneLine = (body: SectionBody): string | null => {
  const parts = body.lines.map(line => (line._tag === 'Item' ? `- ${line.text}` : lineText(line)))
  const text = [body.inline, ...parts].filter(part => part !== '').join(' ')
  return isNone(text) ? null : text
}

const paragraph = (body: SectionBody): string | null => {
  const text = [body.inline.replace(/^- /u, ''), ...body.lines.map(lineText)]
    .filter(part => part !== '')
    .join('\n')
  return text === '' ? null : text
}

const listSections: ReadonlyArray<CharacterSection> = [
  'przedmioty specjalne',
  'reputacja',
  'dodatkowe informacje',
]

const fileOf = (file: Pick<SourceFile, 'path' | 'text'>, lines: ReadonlyArray<Line>): CharacterFile => {
  const name = characterNameOf(file.path)
  const sections = sectionsOf(lines)
  const body = (section: CharacterSection): SectionBody => sections.bodies.get(section) ?? empty
  const { reputation, astray } = reputationOf(body('reputacja').lines)
  const sheet = sheetText(body('karta postaci'))
  const described = sections.described.map(({ line, text }) => ({
    line,
    session: parseDescribedSession(text),
  }))
  const noticed = (
    kind: Parameters<typeof characterFinding>[0],
    lines: ReadonlyArray<number>,
  ): ReadonlyArray<Finding> => lines.map(line => characterFinding(kind, file, line, name))
  const odd = sheet !== '' && !sheet.startsWith('<') && !isNone(sheet) && addressOf(sheet) === null
  const inline = listSections.map(body).filter(one => !isNone(one.inline))
  return {
    name,
    key: nameKey(name),
    path: file.path,
    sheet: addressOf(sheet),
    restrictedTopics: oneLine(body('tematy zastrzeżone')),
    condition: paragraph(body('stan')),
    specialItems: entriesOf(body('przedmioty specjalne')),
    reputation,
    additionalInfo: entriesOf(body('dodatkowe informacje')),
    describedSessions: described.map(one => one.session),
    findings: [
      ...noticed('UnknownSection', sections.unknown),
      ...noticed('DuplicateSection', sections.repeated),
      ...noticed('SheetNotUrl', odd ? [body('karta postaci').line] : []),
      ...noticed(
        'InlineIgnored',
        inline.map(one => one.line),
      ),
      ...noticed(
        'ReputationUnreadable',
        astray.map(line => line.number),
      ),
      ...noticed(
        'DescribedWithoutDay',
        described.flatMap(one => (one.session.date === null ? [one.line] : [])),
      ),
    ],
  }
}

/** The lines in the section of restricted topics. Answers hide these by leaving out the field. */
const topicLines = (lines: ReadonlyArray<Line>): ReadonlySet<number> => {
  const body = sectionsOf(lines).bodies.get('tematy zastrzeżone')
  return new Set(body === undefined ? [] : [body.line, ...body.lines.map(line => line.number)])
}

/** The kinds of findings of a character file: severity, Polish reason and remedy (ADR 1031). */
const kinds = {
  UnknownSection: ['info', 'Sekcja nie należy do formatu i nie jest czytana.', 'Użyj sekcji z szablonu.'],
  DuplicateSection: [
    'warning',
    'Sekcja występuje w pliku więcej niż raz; wszystkie są czytane jako jedna.',
    'Połącz je w jedną.',
  ],
  InlineIgnored: [
    'warning',
    'Tekst w wierszu nagłówka listy nie jest czytany.',
    'Zapisz go poniżej jako „- wpis”.',
  ],
  SheetNotUrl: ['warning', 'Karta postaci nie jest adresem.', 'Wpisz adres https.'],
  ReputationUnreadable: [
    'warning',
    'Wiersz nie należy do żadnego poziomu reputacji.',
    'Zapisz go pod Pozytywna, Neutralna albo Negatywna.',
  ],
  DescribedWithoutDay: [
    'warning',
    'Nagłówek opisanej sesji nie zaczyna się od dnia, który istnieje.',
    'Zapisz „### RRRR-MM-DD, tytuł, narrator”.',
  ],
} as const satisfies Readonly<Record<string, readonly [Severity, string, string]>>

/** A finding of a character file; its subject is the character. */
const characterFinding = (
  kind: keyof typeof kinds,
  file: Pick<SourceFile, 'path'>,
  line: number,
  subject: string,
): Finding => {
  const [severity, reason, suggestion] = kinds[kind]
  return { kind, severity, file: file.path, line, subject, reason, suggestion }
}

/** A character file split into sections. */
interface Sections {
  readonly bodies: ReadonlyMap<CharacterSection, SectionBody>
  /** `###` headers from `Opisane sesje` to the end of the file. */
  readonly described: ReadonlyArray<{ readonly line: number; readonly text: string }>
  /** Lines of unknown headers; `repeated` has the lines of sections that occurred before. */
  readonly unknown: ReadonlyArray<number>
  readonly repeated: ReadonlyArray<number>
}

/** Mutable state of a section; it never leaves this file. */
interface Collected {
  readonly line: number
  readonly inline: Array<string>
  readonly lines: Array<Line>
}

interface Reading {
  readonly bodies: Map<CharacterSection, Collected>
  readonly described: Array<{ readonly line: number; readonly text: string }>
  readonly unknown: Array<number>
  readonly repeated: Array<number>
  open: Collected | null
  stage: 'sections' | 'before described' | 'described'
}

const startSection = (reading: Reading, line: Line): boolean => {
  const header = sectionHeader(line)
  if (header === null) return false
  const { section, inline } = header
  if (section === null) {
    reading.unknown.push(line.number)
    reading.open = null
    return true
  }
  if (section === 'opisane sesje') reading.stage = 'before described'
  const before = reading.bodies.get(section)
  if (before !== undefined) reading.repeated.push(line.number)
  reading.open = before ?? { line: line.number, inline: [], lines: [] }
  if (inline !== '') reading.open.inline.push(inline)
  reading.bodies.set(section, reading.open)
  return true
}

const take = (reading: Reading, line: Line): void => {
  if (line._tag === 'Hidden') return
  if (line._tag === 'Header' && line.level >= 3) {
    reading.open = null
    if (reading.stage === 'sections' || line.level !== 3) return
    reading.stage = 'described'
    reading.described.push({ line: line.number, text: line.text })
    return
  }
  // Below a described session every line is its prose, even a bold one.
  if (reading.stage === 'described' || startSection(reading, line)) return
  reading.open?.lines.push(line)
}
