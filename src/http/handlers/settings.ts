import type { Day } from '#protocol/atoms.js'
import type { DayOrInstant } from '#protocol/query.js'
import { civilDay } from '#src/domain/lore/days.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * The civil day of `activeOn`: an instant is converted by `server.time_zone`; if absent, the day of the
 * snapshot.
 */
export const resolveDay = (snapshot: Snapshot, asked: DayOrInstant | undefined): Day => {
  if (asked === undefined) return snapshot.day
  return typeof asked === 'string' ? asked : civilDay(asked.epochMs, snapshot.config['server.time_zone'])
}
