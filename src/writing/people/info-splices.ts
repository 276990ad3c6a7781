import type { Splice } from '#src/domain/lore/file-edit.js'
import { type Line, linesOf, shownOf } from '#src/domain/lore/lines.js'
import { textStart } from '#src/domain/lore/rows.js'
import { sectionsOf } from '#src/domain/people/character-file.js'
import {
  type CharacterSection,
  isNone,
  type PlacedEntry,
  placeEntries,
  type SectionBody,
} from '#src/domain/people/section-body.js'

const section: CharacterSection = 'dodatkowe informacje'
const header = '**Dodatkowe informacje:**'
const none = '- Brak.'

/** The section `Dodatkowe informacje` of a character file, with its lines. */
export interface InfoPlace {
  readonly body: SectionBody | null
  /** Entries as served, without placeholders such as `Brak`. */
  readonly entries: ReadonlyArray<PlacedEntry>
  /** Lines that only say that there is no entry. */
  readonly placeholders: ReadonlyArray<PlacedEntry>
  /** Line of `Opisane sesje`; null when the file has no such section. */
  readonly described: number | null
  readonly lines: ReadonlyArray<Line>
}

/** Finds the section in the text of a character file (FORMATS 3). */
export const infoPlace = (text: string): InfoPlace => {
  const { lines } = linesOf(text)
  const { bodies } = sectionsOf(lines)
  const body = bodies.get(section) ?? null
  const all = body === null ? [] : placeEntries(body)
  return {
    body,
    entries: all.filter(entry => !isNone(entry.text)),
    placeholders: all.filter(entry => isNone(entry.text)),
    described: bodies.get('opisane sesje')?.line ?? null,
    lines,
  }
}

/** The line of an entry, with the indent and list marker of the line that it replaces or follows. */
const entryLine = (text: string, like: Line | null): string =>
  (like?._tag === 'Item' ? shownOf(like).slice(0, textStart(like)) : '- ') + text

const inPlace = ({ first, last }: PlacedEntry, line: string): Splice => ({
  from: first.number,
  to: last.number,
  lines: [line],
})

const before = (line: number, lines: ReadonlyArray<string>): Splice => ({ from: line, to: line - 1, lines })

const isBlank = (line: Line | undefined): boolean => line === undefined || line._tag === 'Blank'

/** Inserts a missing section before `Opisane sesje` or at the end (FORMATS 3). */
const newSection = ({ described, lines }: InfoPlace, line: string): ReadonlyArray<Splice> => {
  const at = described ?? lines.length + 1
  const above = isBlank(lines[at - 2]) ? [] : ['']
  return [before(at, [...above, header, line, ...(described === null ? [] : [''])])]
}

/** Removes `Brak.` from the header line, which is wrong once an entry follows. */
const inlineNone = (body: SectionBody, lines: ReadonlyArray<Line>): ReadonlyArray<Splice> => {
  const header = lines[body.line - 1]
  const shown = header === undefined ? '' : shownOf(header).trimEnd()
  const none = /brak\.?$/iu.exec(shown)
  const end = none === null ? -1 : shown.slice(0, none.index).trimEnd().length
  return isNone(body.inline) && body.inline !== '' && end > 0
    ? [{ from: body.line, to: body.line, lines: [shown.slice(0, end)] }]
    : []
}

/** The splices that append an entry. */
export const infoAdded = (place: InfoPlace, text: string): ReadonlyArray<Splice> => {
  const { body, entries, placeholders, lines } = place
  const [last, empty] = [entries.at(-1), placeholders[0]]
  if (body === null) return newSection(place, entryLine(text, null))
  if (last !== undefined) return [before(last.last.number + 1, [entryLine(text, last.first)])]
  const inline = inlineNone(body, lines)
  return empty === undefined
    ? [...inline, before(body.line + 1, [entryLine(text, null)])]
    : [...inline, inPlace(empty, entryLine(text, empty.first))]
}

/** The splices that change the text of an entry. */
export const infoChanged = (entry: PlacedEntry, text: string): ReadonlyArray<Splice> => [
  inPlace(entry, entryLine(text, entry.first)),
]

/** The splices that remove an entry; in place of the last one they leave the word for none. */
export const infoRemoved = ({ entries }: InfoPlace, entry: PlacedEntry): ReadonlyArray<Splice> => {
  const { first, last } = entry
  return entries.length === 1 ? [inPlace(entry, none)] : [{ from: first.number, to: last.number, lines: [] }]
}
