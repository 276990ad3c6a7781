import type { Day } from '#protocol/atoms.js'
import { readHeader } from '#src/domain/lore/session-header.js'

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
