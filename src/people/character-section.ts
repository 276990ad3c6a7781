import { nameKey } from '#protocol/atoms/name.js'
import type { Line } from '#src/lore/lines.js'
import type { SectionBody } from './section-body.js'

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
 * Reads a section header: bold text at the start of the line, its colon inside the bold, outside of it, or, for known
 * names, absent. Null for any other line.
 */
export const sectionHeader = (line: Line): SectionHeader | null => {
  if (line._tag !== 'Text' || !line.raw.startsWith('**')) return null
  const end = line.raw.indexOf('**', 2)
  if (end < 0) return null
  const bold = line.raw.slice(2, end).trim()
  const after = line.raw.slice(end + 2)
  const inside = bold.endsWith(':')
  const outside = !inside && after.startsWith(':')
  const name = (inside ? bold.slice(0, -1) : bold).trim()
  const section = synonyms.get(nameKey(name)) ?? null
  if (name === '' || name.includes('*') || (section === null && !inside && !outside)) return null
  return { name, section, inline: (outside ? after.slice(1) : after).trim() }
}

/** Text of a line inside a section; a fenced line is opaque and taken as it stands. */
export const lineText = (line: Line): string =>
  line._tag === 'Fenced' ? line.raw : line._tag === 'Blank' ? '' : line.text

/** `Brak`, `Brak.`, with or without a bullet, or nothing. */
export const isNone = (text: string): boolean => /^(?:-\s*)?(?:brak\.?)?$/iu.test(text.trim())

/** Entries of a list section: a bullet or a line at the margin each; deeper lines are joined to the entry above them. */
export const entriesOf = (body: SectionBody): ReadonlyArray<string> => {
  const entries: Array<{ readonly indent: number; readonly text: Array<string> }> = []
  for (const line of body.lines) {
    if (line._tag === 'Blank') continue
    const last = entries.at(-1)
    const indent = line._tag === 'Item' || line._tag === 'Text' ? line.indent : 0
    const belongs = last !== undefined && (line._tag === 'Fenced' || indent > last.indent)
    const text = lineText(line)
    if (belongs) last.text.push(line._tag === 'Item' ? `- ${text}` : text)
    else entries.push({ indent, text: [text] })
  }
  return entries.map(entry => entry.text.join('\n')).filter(text => !isNone(text))
}
