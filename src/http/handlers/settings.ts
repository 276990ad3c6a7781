import type { Day } from '#protocol/atoms/day.js'
import type { DayOrInstant } from '#protocol/query.js'
import { readConfig } from '#src/config/read-config.js'
import { civilDay } from '#src/corpus/civil-day.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import { perValue } from '#src/lore/per-value.js'

/** The configuration as the commit of a snapshot has it; read once per snapshot. */
export const settingsAt = perValue(
  (snapshot: Snapshot) => readConfig(snapshot.files.get('.svc/config.json') ?? null).config,
)

/** The civil day of `activeOn`: of an instant that in `server.time_zone`, of none the day of the snapshot. */
export const askedDay = (snapshot: Snapshot, asked: DayOrInstant | undefined): Day => {
  if (asked === undefined) return snapshot.day
  return typeof asked === 'string' ? asked : civilDay(asked.epochMs, settingsAt(snapshot)['server.time_zone'])
}
