import { listOwners, workloadNames, workloads } from '#protocol/config.js'
import type { SchedulesAnswer } from '#protocol/governance.js'
import type { Schedules } from './schedules.js'

/** The answer of `GET /config/schedules`. */
export const schedulesAnswer = ({ of, source }: Schedules): SchedulesAnswer => ({
  workloads: workloadNames.map(workload => ({
    workload,
    ...of(workload),
    allowed: listOwners(workload),
    default: workloads[workload].fallback,
  })),
  source,
})
