import * as t from 'io-ts'

/** Who runs a workload: the tick of the apex, the job of CI, or neither. */
export const ScheduleOwner = t.keyof({ fleet: null, ci: null, off: null }, 'ScheduleOwner')
export type ScheduleOwner = t.TypeOf<typeof ScheduleOwner>

interface WorkloadRow {
  readonly allowed: ReadonlyArray<ScheduleOwner>
  readonly fallback: ScheduleOwner
}

const anyOwner = ['fleet', 'ci', 'off'] as const
const fleetOrOff = ['fleet', 'off'] as const

/** The recurring workloads with their allowed owners and default (A 4.11): the one source of both. */
export const workloads = {
  close_reminder: { allowed: anyOwner, fallback: 'off' },
  map_checkup: { allowed: anyOwner, fallback: 'fleet' },
  settlement: { allowed: ['ci', 'off'], fallback: 'ci' },
  lineage_autopilot: { allowed: fleetOrOff, fallback: 'fleet' },
  alias_autopilot: { allowed: fleetOrOff, fallback: 'fleet' },
} as const satisfies Readonly<Record<string, WorkloadRow>>

export type Workload = keyof typeof workloads

/** The workloads that the fleet may own, so that a host may run them. */
export type FleetWorkload = {
  [Name in Workload]: 'fleet' extends (typeof workloads)[Name]['allowed'][number] ? Name : never
}[Workload]

export const isWorkload = (name: string): name is Workload => Object.hasOwn(workloads, name)

/** The names of the workloads, in the order of the table. */
export const workloadNames: ReadonlyArray<Workload> = Object.keys(workloads).filter(isWorkload)

/** The owners that a workload may have. */
export const listOwners = (workload: Workload): ReadonlyArray<ScheduleOwner> => workloads[workload].allowed

/** `fleet, ci or off`. */
export const ownerWords = (workload: Workload): string => {
  const owners = listOwners(workload)
  return `${owners.slice(0, -1).join(', ')} or ${owners.at(-1) ?? ''}`
}
