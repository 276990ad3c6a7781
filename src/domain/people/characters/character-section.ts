import { nameKey } from '#protocol/atoms.js'
import { type Line, shownOf } from '#src/domain/lore/lines/lines.js'

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

const synonyms: ReadonlyMap<string, CharacterSection> = new Map([
  ...characterSections.map(name => [name, name] as const),
  ['tematy zastrzezone', 'tematy zastrzeżone'],
  ['dodatkowe notatki', 'dodatkowe informacje'],
])

/** A `**Header:**` line. `section` is null for a header that the format does not know. */
export interface SectionHeader {
  readonly name: string
  readonly section: CharacterSection | null
  readonly inline: string
}

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
