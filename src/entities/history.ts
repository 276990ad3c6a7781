import type { Day } from '#protocol/atoms/day.js'
import type { HistoryEntry } from '#protocol/entities/answers.js'
import { scrubbed } from '#src/lore/scrub.js'
import type { Entity } from './entity.js'
import { shownRows } from './shown-rows.js'
import { propertyOf } from './timeline.js'

/** First and last day of FROM, inclusive. */
export interface HistoryWindow {
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/**
 * Every row of the merged state with its source, credentials cut out: aliases and generic tags too (FORMATS 8).
 * Undated first, then by FROM; rows of one day stand in the order that decides. With `from` named, a row without
 * FROM is left out.
 */
export const historyOf = (entity: Entity, { from, to }: HistoryWindow): ReadonlyArray<HistoryEntry> =>
  shownRows(entity)
    .filter(
      ({ range }) =>
        (from === undefined || (range.from !== null && range.from >= from)) &&
        (to === undefined || range.from === null || range.from <= to),
    )
    .map(row => ({
      date: row.range.from,
      dateEnd: row.range.to,
      property: propertyOf(row.tag),
      tag: row.tag,
      value: scrubbed(row.value),
      auto: row.auto,
      file: row.source._tag === 'File' ? row.source.path : null,
      line: row.source._tag === 'File' ? row.line : null,
      session: row.source._tag === 'Session' ? row.source.header : null,
    }))
    .sort((one, other) => {
      const [first, second] = [one.date ?? '', other.date ?? '']
      return first < second ? -1 : first > second ? 1 : 0
    })
