import { dayText, type EpochDay, epochDay } from '../calendar.js'
import type { Chance } from '../chance.js'

/** A row of the file: `- @tag: value`. */
export type DemoRow = readonly [tag: string, value: string]

/** A block of an index file, its rows in order. */
export interface EntityBlock {
  readonly heading: string
  readonly rows: ReadonlyArray<DemoRow>
}

export const demoBlockText = (block: EntityBlock): string =>
  `### ${block.heading}\n${block.rows.map(([tag, value]) => `- @${tag}: ${value}\n`).join('')}`

const month = (day: EpochDay): string => dayText(day).slice(0, 7)

/** `value (from:to)`; a null side is open. */
export const withRange = (value: string, from: string | null, to: string | null): string =>
  `${value} (${from ?? ''}:${to ?? ''})`

/** The first day of a month before any session is played: when most things began. */
export const pickEarlyDay = (chance: Chance): EpochDay =>
  epochDay(2008 + chance.whole(0, 5), chance.whole(1, 12), 1)

/** A value that holds from the month of a day on. */
export const valueSince = (value: string, day: EpochDay): string => withRange(value, month(day), null)

/**
 * A scalar with changes: consecutive closed ranges, then an open one, unless a session sets the value from
 * `until` on.
 */
export const historyRows = (
  tag: string,
  values: ReadonlyArray<string>,
  until: EpochDay | null,
  chance: Chance,
): ReadonlyArray<DemoRow> => {
  let from = pickEarlyDay(chance)
  return values.map((value, at): DemoRow => {
    const last = at === values.length - 1
    const end = epochDay(2018 - values.length + at, chance.whole(1, 12), 1)
    const row: DemoRow = last
      ? [tag, until === null ? valueSince(value, from) : withRange(value, month(from), dayText(until - 1))]
      : [tag, withRange(value, month(from), month(end))]
    const [year = 0, number = 0] = month(end).split('-').map(Number)
    from = number === 12 ? epochDay(year + 1, 1, 1) : epochDay(year, number + 1, 1)
    return row
  })
}
