import { type Day, type NameKey, nameKey, type RepoPath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { type Line, shownOf } from '#src/domain/lore/lines.js'
import { readHeader } from '#src/domain/lore/session-header.js'

export interface ReputationEntry {
  readonly location: string
  readonly detail: string | null
}

/** A file `Postaci/Gracze/<Postać>.md` (FORMATS 3). Null: the section is absent or empty. */
export interface CharacterFile {
  readonly name: string
  readonly key: NameKey
  readonly path: RepoPath
  readonly sheet: string | null
  readonly restrictedTopics: string | null
  readonly condition: string | null
  readonly specialItems: ReadonlyArray<string>
  readonly reputation: {
    readonly positive: ReadonlyArray<ReputationEntry>
    readonly neutral: ReadonlyArray<ReputationEntry>
    readonly negative: ReadonlyArray<ReputationEntry>
  }
  /** Entries of `Dodatkowe informacje`, continuation lines joined by a newline. */
  readonly additionalInfo: ReadonlyArray<string>
  readonly describedSessions: ReadonlyArray<DescribedSession>
  readonly findings: ReadonlyArray<Finding>
  /**
   * The same file for callers who may not read restricted topics; present only when topics occur outside
   * their section. It has no findings.
   */
  readonly open?: CharacterFile
}

/** The sections of a character file, in canonical order (FORMATS 3). */
export const characterSections = [
  'karta postaci',
  'tematy zastrzeżone',
  'stan',
  'przedmioty specjalne',
  'reputacja',
  'dodatkowe informacje',
  'opisane sesje',
] as const
export type CharacterSection = (typeof characterSections)[number]

/**
 * Parses a section header: bold text at the start of the line, with its colon inside the bold, after it, or,
 * for known names, absent. Before a known name there may be three blanks. Null for any other line.
 */
export const sectionHeader = (line: Line): SectionHeader | null => {
  if (line._tag !== 'Text' || line.indent > 3) return null
  const shown = shownOf(line).trim()
  if (!shown.startsWith('**')) return null
  const end = shown.indexOf('**', 2)
  if (end < 0) return null
  const bold = shown.slice(2, end).trim()
  const after = shown.slice(end + 2)
  const inside = bold.endsWith(':')
  const outside = !inside && after.startsWith(':')
  const name = (inside ? bold.slice(0, -1) : bold).trim()
  const section = synonyms.get(nameKey(name)) ?? null
  if (name === '' || name.includes('*')) return null
  if (section === null && (line.indent > 0 || (!inside && !outside))) return null
  return { name, section, inline: (outside ? after.slice(1) : after).trim() }
}

/** A section: the texts on its header lines, and the lines below. */
export interface SectionBody {
  /** Line of its header, counted from 1. */
  readonly line: number
  readonly inline: string
  readonly lines: ReadonlyArray<Line>
}

/** Text of a line in a section; a fenced line is kept as written. */
export const lineText = (line: Line): string =>
  line._tag === 'Fenced' ? line.raw : 'text' in line ? line.text : ''

/** Whether a text is empty, `Brak` or `Brak.`, with or without a bullet. */
export const isNone = (text: string): boolean => /^(?:-\s*)?(?:brak\.?)?$/iu.test(text.trim())

/**
 * An entry of a list section: its text, with continuation lines joined by a newline, and its first and last
 * line.
 */
export interface PlacedEntry {
  readonly text: string
  readonly first: Line
  readonly last: Line
}

/**
 * Every bullet and every line at the margin of a list section, including the word for none. Deeper lines are
 * joined to the entry above them.
 */
export const placeEntries = (body: SectionBody): ReadonlyArray<PlacedEntry> => {
  const entries: Array<PlacedEntry> = []
  for (const line of body.lines) {
    if (line._tag === 'Blank' || line._tag === 'Hidden') continue
    const above = entries.at(-1)
    const belongs = above !== undefined && (line._tag === 'Fenced' || indentOf(line) > indentOf(above.first))
    const text = lineText(line)
    if (belongs) {
      const more = line._tag === 'Item' ? `- ${text}` : text
      entries[entries.length - 1] = { ...above, text: `${above.text}\n${more}`, last: line }
    } else entries.push({ text, first: line, last: line })
  }
  return entries
}

/** The texts of the entries of a list section, without the word for none. */
export const entriesOf = (body: SectionBody): ReadonlyArray<string> =>
  placeEntries(body)
    .map(entry => entry.text)
    .filter(text => !isNone(text))

/** A session that a character file describes. `date` is null when the header has no valid day. */
export interface DescribedSession {
  readonly date: Day | null
  readonly title: string
  readonly narrator: string | null
}

/** Parses `YYYY-MM-DD[/DD], title[, narrator]` by the grammar of session headers (FORMATS 4.1). */
export const parseDescribedSession = (text: string): DescribedSession => {
  const read = readHeader(text)
  if (read._tag !== 'Session') return { date: null, title: text, narrator: null }
  const { date, title, narrator } = read.header
  return { date, title, narrator }
}

const synonyms: ReadonlyMap<string, CharacterSection> = new Map([
  ...characterSections.map(name => [name, name] as const),
  ['tematy zastrzezone', 'tematy zastrzeżone'],
  ['dodatkowe notatki', 'dodatkowe informacje'],
])

/** A `**Header:**` line. `section` is null for a header that the format does not know. */
interface SectionHeader {
  readonly name: string
  readonly section: CharacterSection | null
  readonly inline: string
}

const indentOf = (line: Line): number => (line._tag === 'Item' || line._tag === 'Text' ? line.indent : 0)
