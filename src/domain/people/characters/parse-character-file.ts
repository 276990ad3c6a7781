import { nameKey } from '#protocol/atoms.js'
import { headingOf } from '#src/domain/lore/blocks/blocks.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { lineFindings } from '#src/domain/lore/lines/line-findings.js'
import { type Line, readLinesInSlices } from '#src/domain/lore/lines/lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import type { CharacterFile } from './character-file.js'
import { characterFinding } from './character-finding.js'
import type { CharacterSection } from './character-section.js'
import { parseDescribedSession } from './described-session.js'
import { reputationOf } from './reputation.js'
import { entriesOf, isNone, lineText, type SectionBody } from './section-body.js'
import { sectionsOf } from './sections.js'
import { findWithheld } from './visible-document.js'

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

/** The name of the Postać that a file describes. */
export const characterNameOf = (path: string): string =>
  headingOf(path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/iu, ''))

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
