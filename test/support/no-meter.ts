import type { Meter } from '#src/ports/records.js'

/** A meter that keeps nothing. */
export const noMeter: Meter = {
  count: () => undefined,
  gauge: () => undefined,
  observe: () => undefined,
  remove: () => undefined,
}
