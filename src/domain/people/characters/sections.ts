import type { Line } from '#src/domain/lore/lines/lines.js'
import { type CharacterSection, sectionHeader } from './character-section.js'
import type { SectionBody } from './section-body.js'

/** A character file split into sections. */
export interface Sections {
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
