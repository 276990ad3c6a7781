import { type Decimal, sumOf } from '#src/domain/lore/decimal.js'
import type { Batch } from './batch.js'
import type { DatedBatch } from './batch-month.js'
import type { LocateCandidate } from './candidate.js'
import { type Credit, creditsOf, type SessionsByKey } from './credits.js'

/** A dated batch. `granted` is the sum over `credits`; null when one of them is unknown. */
export interface PointsTimelineEntry {
  readonly date: string
  readonly month: string | null
  readonly source: Batch['source']
  readonly granted: Decimal | null
  readonly sessions: ReadonlyArray<string>
  readonly credits: ReadonlyArray<Credit>
}

const byDate = (left: { readonly date: string }, right: { readonly date: string }): number =>
  left.date < right.date ? -1 : left.date > right.date ? 1 : 0

const totalOf = (credits: ReadonlyArray<Credit>): Decimal | null => {
  const known = credits.flatMap(credit => (credit.granted === null ? [] : [credit.granted]))
  return known.length === credits.length && known.length > 0 ? sumOf(known) : null
}

/**
 * The batches, oldest first. With `only`, credits are those of these characters (headings), sessions those
 * that name one of them, and batches without such credits are left out.
 */
export const timelineOf = (
  history: ReadonlyArray<DatedBatch>,
  sessions: SessionsByKey,
  place: LocateCandidate,
  only: ReadonlySet<string> | null,
): ReadonlyArray<PointsTimelineEntry> =>
  history
    .flatMap((batch): ReadonlyArray<PointsTimelineEntry> => {
      const all = creditsOf(batch, sessions, place)
      const credits = only === null ? all : all.filter(credit => only.has(credit.character))
      if (only !== null && credits.length === 0) return []
      const named = new Set(credits.flatMap(credit => credit.sessions))
      const headers = only === null ? batch.sessions : batch.sessions.filter(header => named.has(header))
      const { month, source } = batch
      return [{ date: batch.day, month, source, granted: totalOf(credits), sessions: headers, credits }]
    })
    .sort(byDate)
