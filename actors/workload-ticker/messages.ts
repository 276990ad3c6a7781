import * as t from 'io-ts'
import type { FleetWorkload } from '#protocol/config.js'

const workloads: Readonly<Record<FleetWorkload, null>> = {
  close_reminder: null,
  map_checkup: null,
  lineage_autopilot: null,
  alias_autopilot: null,
}
const Name = t.keyof(workloads)

/** To self: a tick of the workload is due. */
const Due = t.type({ _tag: t.literal('Due'), workload: Name })
/** To self: a tick of the workload has ended. */
const Ticked = t.type({ _tag: t.literal('Ticked'), workload: Name })

export const WorkloadTickerMessage = t.union([Due, Ticked], 'WorkloadTickerMessage')
export type WorkloadTickerMessage = t.TypeOf<typeof WorkloadTickerMessage>
