import { applySplices, keepHidden, type Splice } from '#src/domain/lore/edits/file-edit.js'
import { type Line, linesOf, shownOf } from '#src/domain/lore/lines/lines.js'
import { isNone } from '#src/domain/people/characters/section-body.js'
import { sectionsOf } from '#src/domain/people/characters/sections.js'
import { continueLine } from './blocks/block-text.js'

const bare = (line: string): string => line.trim().replace(/^[-*+]\s+/u, '')

const noteLines = (note: string): ReadonlyArray<string> => {
  const [first = '', ...rest] = note.split('\n')
  return [`- ${first}`, ...rest.map(continueLine)]
}

const before = (line: number, lines: ReadonlyArray<string>): Splice => ({ from: line, to: line - 1, lines })

/** Adds notes to the section, the header of which is `header`; instead of the word for none where it has no others. */
const intoSection = (
  header: Line,
  { inline, lines }: { readonly inline: string; readonly lines: ReadonlyArray<Line> },
  notes: ReadonlyArray<string>,
): ReadonlyArray<Splice> => {
  const there = new Set(lines.map(line => bare(shownOf(line))))
  const missing = notes.filter(note => !note.split('\n').every(line => there.has(bare(line))))
  const fresh = missing.flatMap(noteLines)
  const written = lines.filter(line => line._tag !== 'Blank')
  const last = written.at(-1)
  if (fresh.length === 0) return []
  if (last !== undefined && !written.every(line => isNone(shownOf(line))))
    return [before(last.number + 1, fresh)]
  const shown = shownOf(header)
  const plain = inline !== '' && isNone(inline) ? shown.slice(0, shown.lastIndexOf('**') + 2) : shown
  return [{ from: header.number, to: last?.number ?? header.number, lines: [plain, ...fresh] }]
}

const withSection = (
  lines: ReadonlyArray<Line>,
  described: number | null,
  notes: ReadonlyArray<string>,
): ReadonlyArray<Splice> => {
  const fresh = ['**Dodatkowe informacje:**', ...notes.flatMap(noteLines)]
  if (described !== null) return [before(described, [...fresh, ''])]
  const last = lines.at(-1)
  return [before(lines.length + 1, [...(last === undefined || last._tag === 'Blank' ? [] : ['']), ...fresh])]
}

/**
 * Adds notes under `Dodatkowe informacje` of a character file, except those with an equal line there; a
 * missing section is added before `Opisane sesje`. Nothing else changes (FORMATS 9, step 7).
 */
export const addNotes = (text: string, notes: ReadonlyArray<string>): string => {
  if (notes.length === 0) return text
  const scanned = linesOf(text)
  const { lines } = scanned
  const { bodies } = sectionsOf(lines)
  const body = bodies.get('dodatkowe informacje')
  const header = body === undefined ? undefined : lines[body.line - 1]
  const splices =
    body === undefined || header === undefined
      ? withSection(lines, bodies.get('opisane sesje')?.line ?? null, notes)
      : intoSection(header, body, notes)
  const after = applySplices(text, keepHidden(scanned, splices))
  return text === '' || /[\r\n]$/u.test(text) ? after : after.replace(/\n$/u, '')
}
