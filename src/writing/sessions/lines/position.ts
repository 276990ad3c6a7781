import type { Day } from '#protocol/atoms.js'
import type { Splice } from '#src/domain/lore/file-edit.js'
import { rawLines } from '#src/domain/lore/lines.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'

/** The neighbour of a new session in a file, and on which side of it the session goes. */
type Spot = { readonly _tag: 'After' | 'Before'; readonly copy: SessionCopy }

type Dated = ReadonlyArray<SessionCopy>

/** Whether a file lists its sessions newest first: no session is older than the next, and some are newer. */
const isNewestFirst = (copies: Dated): boolean => {
  const dates = copies.map(copy => copy.date)
  return (
    dates.every((date, at) => at === 0 || date <= (dates[at - 1] ?? date)) &&
    (dates[0] ?? '') > (dates.at(-1) ?? '')
  )
}

const sameYear = (copy: SessionCopy, date: Day): boolean => copy.date.slice(0, 4) === date.slice(0, 4)

/** After the last session that is not later; before the next one when only that one is of the same year. */
const oldestFirstSpot = (copies: Dated, date: Day): Spot | null => {
  const at = copies.findLastIndex(copy => copy.date <= date)
  const [earlier, later] = [copies[at], copies[at + 1]]
  if (earlier === undefined) return later === undefined ? null : { _tag: 'Before', copy: later }
  if (later !== undefined && sameYear(later, date) && !sameYear(earlier, date))
    return { _tag: 'Before', copy: later }
  return { _tag: 'After', copy: earlier }
}

const newestFirstSpot = (copies: Dated, date: Day): Spot | null => {
  const at = copies.findIndex(copy => copy.date <= date)
  const [earlier, later] = [copies[at], at < 0 ? copies.at(-1) : copies[at - 1]]
  if (earlier === undefined) return later === undefined ? null : { _tag: 'After', copy: later }
  if (later !== undefined && sameYear(later, date) && !sameYear(earlier, date))
    return { _tag: 'After', copy: later }
  return { _tag: 'Before', copy: earlier }
}

const isBlankText = (line: string | undefined): boolean => line === undefined || line.trim() === ''

/**
 * Inserts a session at its chronological place in a file. Keeps the order of the file and one blank line on
 * each side; nothing else changes.
 */
export const insertSection = (
  text: string,
  copies: Dated,
  date: Day,
  section: ReadonlyArray<string>,
): Splice => {
  const lines = rawLines(text)
  const spot = isNewestFirst(copies) ? newestFirstSpot(copies, date) : oldestFirstSpot(copies, date)
  const last = lines.findLastIndex(line => line.trim() !== '') + 1
  const from = spot === null ? last + 1 : spot._tag === 'After' ? spot.copy.endLine + 1 : spot.copy.line
  const [above, below] = [lines[from - 2], lines[from - 1]]
  return {
    from,
    to: from - 1,
    lines: [
      ...(from === 1 || isBlankText(above) ? [] : ['']),
      ...section,
      ...(from > lines.length || isBlankText(below) ? [] : ['']),
    ],
  }
}
