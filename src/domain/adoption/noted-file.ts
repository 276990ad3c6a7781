import { nameKey } from '#protocol/atoms/name.js'
import { newlineOf, rawLines } from '#src/domain/lore/lines/lines.js'

const sectionNames: ReadonlySet<string> = new Set(
  [
    'Karta Postaci',
    'Tematy zastrzeżone',
    'Stan',
    'Przedmioty specjalne',
    'Reputacja',
    'Dodatkowe informacje',
    'Dodatkowe notatki',
    'Opisane sesje',
  ].map(nameKey),
)

interface SectionLine {
  readonly name: string
  /** Text after the bold name, without the colon. */
  readonly inline: string
}

/** A `**Header:**` line; for a known name the colon may be outside or absent (FORMATS 3). */
const sectionLine = (line: string): SectionLine | null => {
  if (!line.startsWith('**')) return null
  const end = line.indexOf('**', 2)
  if (end < 0) return null
  const inner = line.slice(2, end).trim()
  const after = line.slice(end + 2).trim()
  const name = nameKey(inner.replace(/:$/u, ''))
  const colon = inner.endsWith(':') || after.startsWith(':')
  return colon || sectionNames.has(name) ? { name, inline: after.replace(/^:/u, '').trim() } : null
}

const isBrak = (text: string): boolean => /^[-*+]?\s*brak\.?$/iu.test(text.trim())

const bare = (line: string): string => line.trim().replace(/^[-*+]\s+/u, '')

const isInfo = (line: string): boolean =>
  ['dodatkowe informacje', 'dodatkowe notatki'].includes(sectionLine(line)?.name ?? '')

const noteLines = (note: string): ReadonlyArray<string> => {
  const [first = '', ...rest] = note.split('\n')
  return [`- ${first}`, ...rest.map(line => `  ${line}`)]
}

interface Section {
  readonly start: number
  readonly end: number
}

const infoSection = (lines: ReadonlyArray<string>): Section | null => {
  const start = lines.findIndex(isInfo)
  if (start < 0) return null
  const next = lines.findIndex(
    (line, at) => at > start && (sectionLine(line) !== null || line.startsWith('###')),
  )
  const limit = next < 0 ? lines.length : next
  const last = lines.findLastIndex((line, at) => at < limit && line.trim() !== '')
  return { start, end: Math.max(last, start) + 1 }
}

const insertLines = (
  lines: ReadonlyArray<string>,
  from: number,
  to: number,
  more: ReadonlyArray<string>,
): ReadonlyArray<string> => [...lines.slice(0, from), ...more, ...lines.slice(to)]

const intoSection = (
  lines: ReadonlyArray<string>,
  { start, end }: Section,
  notes: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const body = lines.slice(start + 1, end)
  const there = new Set(body.map(bare))
  const missing = notes.filter(note => !note.split('\n').every(line => there.has(bare(line))))
  if (missing.length === 0) return lines
  const fresh = missing.flatMap(noteLines)
  const empty = body.every(line => line.trim() === '' || isBrak(line))
  if (!empty) return insertLines(lines, end, end, fresh)
  const header = lines[start] ?? ''
  const plain = isBrak(sectionLine(header)?.inline ?? '')
  return insertLines(lines, start, end, [
    plain ? header.slice(0, header.indexOf('**', 2) + 2) : header,
    ...fresh,
  ])
}

const withSection = (lines: ReadonlyArray<string>, notes: ReadonlyArray<string>): ReadonlyArray<string> => {
  const described = lines.findIndex(line => sectionLine(line)?.name === 'opisane sesje')
  const fresh = ['**Dodatkowe informacje:**', ...notes.flatMap(noteLines), '']
  if (described >= 0) return insertLines(lines, described, described, fresh)
  const above = lines.length === 0 || (lines.at(-1) ?? '').trim() === '' ? [] : ['']
  return [...lines, ...above, ...fresh.slice(0, -1)]
}

/**
 * Adds notes under `Dodatkowe informacje` of a character file, except those with an equal line there; a
 * missing section is added before `Opisane sesje`. Nothing else changes (FORMATS 9, step 7).
 */
export const addNotes = (text: string, notes: ReadonlyArray<string>): string => {
  if (notes.length === 0) return text
  const lines = rawLines(text)
  const section = infoSection(lines)
  const result = section === null ? withSection(lines, notes) : intoSection(lines, section, notes)
  if (result === lines) return text
  const newline = newlineOf(text)
  const end = text === '' || text.endsWith('\n') ? newline : ''
  return result.join(newline) + end
}
