import type { SessionFetch, SessionRow, SessionSummary } from '#protocol/sessions.js'
import type { View } from '#src/domain/callers/caller.js'
import { numberOrNull, readDecimal } from '#src/domain/lore/decimal.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import { narratorsOf } from './naming/narrators.js'
import { placesOf } from './naming/places.js'
import { reporterOf, saveDateOf } from './saver.js'
import type { Session } from './session.js'
import type { SessionLore } from './session-lore.js'
import { sessionFor } from './shown-session.js'

/** The parts of a session row that depend on names; the rest depends on the session alone. */
export interface SessionNames {
  readonly reporter: string | null
  readonly places: ReadonlyArray<string>
}

/** The parts of a session's answer that depend on the names of other blocks; `session` is as its reader sees it. */
export const sessionNamesOf = (session: Session, names: NameIndex): SessionNames => ({
  reporter: reporterOf(session, names),
  places: placesOf(session, names),
})

export const summaryOf = (session: Session, { reporter, places }: SessionNames): SessionSummary => ({
  Header: session.header,
  Date: session.date,
  DateEnd: session.dateEnd,
  Title: session.title,
  Narrator: session.narrator,
  Narrators: session.narrators,
  Reporter: reporter,
  ReporterSource: reporter === null ? null : 'log-saver-slug',
  SavedDate: saveDateOf(session),
  Generation: session.generation,
  LogCount: session.logs.length,
  // No row of the table answers transcripts yet, and a link that leads to a 404 would be worse than none.
  LogsUrl: null,
  Locations: places,
  PU: session.points.map(one => ({
    Character: one.character,
    Value: one.value === null ? null : numberOrNull(readDecimal(one.value, 'none')),
  })),
  Participants: session.participants,
  Files: [...new Set(session.copies.map(copy => copy.path))],
})

/** The row of B 2.2. No archive of transcripts is on this host yet, so `LogStates` is null. */
export const rowOf = (session: Session, named: SessionNames): SessionRow => ({
  ...summaryOf(session, named),
  Description: session.body,
  LogStates: null,
})

/** A single session, as the view may see it. */
export const fetchOf = (whole: Session, lore: SessionLore, view: View): SessionFetch => {
  const { names, day, closeLedger } = lore
  const { council, persons, confidence } = narratorsOf(lore, whole.narrator, day)
  const session = sessionFor(view, whole)
  return {
    ...rowOf(session, sessionNamesOf(session, names)),
    Council: council,
    NarratorPersons: persons,
    NarratorsSure: confidence !== 'Medium',
    Logs: session.logs,
    Zmiany: session.changes.map(({ entity, tags }) => ({
      Entity: entity,
      Tags: tags.map(({ tag, value }) => ({ Tag: `@${tag}`, Value: value })),
    })),
    Transfers: session.transfers.map(one => ({
      Amount: one.amount,
      Denomination: one.denomination,
      Source: one.source,
      Destination: one.destination,
    })),
    Intel: session.intel.map(({ target, message }) => ({ Target: target, Message: message })),
    Preserved: session.preserved.map(({ name, text }) => ({ Name: name, Text: text })),
    Copies: session.copies.map(copy => ({ File: copy.path, Line: copy.line, EndLine: copy.endLine })),
    Closed: closeLedger.closed.has(ledgerKeyOf(session)),
    Distributed: closeLedger.distributed.has(ledgerKeyOf(session)),
  }
}
