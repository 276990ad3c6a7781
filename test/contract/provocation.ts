import type { routes } from '#protocol/routes.js'
import type { GateState } from '#src/domain/admin/gate-arms.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Ask } from '#test/support/http-client.js'
import type { BenchOptions, Pairs } from './bench.js'
import { samples } from './samples.js'

/** A request that a row refuses: its example, with these parts in place of those of the example. */
export interface Provocation {
  readonly row: keyof typeof routes
  readonly path?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly query?: Pairs
  readonly ask?: Ask
  /** The state of the gate meanwhile. */
  readonly gate?: Partial<GateState>
  /** Makes the served world; null before the first snapshot. If absent, the contract world. */
  readonly world?: () => Snapshot | null
  /** Makes the parts of a front of its own; if absent, the front is shared. */
  readonly front?: () => BenchOptions
}

/** Sends the body of the row's example with these fields in place of its own. */
export const provokeByBody = (
  row: keyof typeof routes,
  fields: Readonly<Record<string, unknown>>,
): Provocation => ({
  row,
  body: { ...Object(samples[row]?.body), ...fields },
})
