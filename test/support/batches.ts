import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { BeforeWrite } from '#src/writing/batch/hooks.js'
import { type PlannedBatch, planBatch } from '#src/writing/batch/plan-batch.js'
import type { WritePlan } from '#src/writing/command.js'

interface Write {
  readonly plan: WritePlan<unknown>
  readonly route: string
}

/** Plans a batch of writes that are given as plans; a plan without a command gets one of a test route. */
export const batchOf = (
  snapshot: Snapshot,
  plans: ReadonlyArray<WritePlan<unknown> | Write>,
  nowMs = 0,
  hooks: ReadonlyArray<BeforeWrite> = [],
): PlannedBatch<Write> =>
  planBatch(
    snapshot,
    plans.map(plan => (typeof plan === 'function' ? { plan, route: 'POST /test' } : plan)),
    ({ plan }) => plan(snapshot, nowMs),
    hooks,
  )
