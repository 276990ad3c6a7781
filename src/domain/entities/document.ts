import type { Day } from '#protocol/atoms.js'
import { type Line, linesOf, newlineOf } from '#src/domain/lore/lines/lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { Entity } from './entity.js'
import { isServable } from './references/ref-target.js'
import { documentOn } from './state.js'

/**
 * The committed file that an entity names by `@plik` (D15); null when it names none or one that may not be
 * served.
 */
export const documentOf = (
  entity: Entity,
  files: ReadonlyMap<string, SourceFile>,
  day: Day,
): SourceFile | null => {
  const path = documentOn(entity, day)
  return path !== null && isServable(path, entity) ? (files.get(path) ?? null) : null
}

/**
 * Whether a line may be a session header: level three with anything like a date, also inside a fence or a comment,
 * and after any blanks and signs.
 */
const maySession = (raw: string): boolean =>
  /^[^\p{L}\p{N}#]*###(?!#)/u.test(raw) && /\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/u.test(raw)

/**
 * The numbers of the lines of session blocks (D15): everything from a `###` header with anything like a date
 * to the next header of level 1 to 3. Doubtful lines count too.
 */
export const findSessionLines = (lines: ReadonlyArray<Line>): ReadonlySet<number> => {
  const found = new Set<number>()
  let inside = false
  for (const line of lines) {
    if (line._tag === 'Header' && line.level <= 3) inside = false
    if (maySession(line.raw)) inside = true
    if (inside) found.add(line.number)
  }
  return found
}

/** A document without the lines of its session blocks. */
export const withoutSessions = (text: string): { readonly content: string; readonly cut: boolean } => {
  const { lines } = linesOf(text)
  const sessions = findSessionLines(lines)
  if (sessions.size === 0) return { content: text, cut: false }
  const kept = lines.filter(({ number }) => !sessions.has(number))
  const newline = newlineOf(text)
  return { content: kept.map(({ raw }) => raw + newline).join(''), cut: true }
}
