import * as t from 'io-ts'
import { ScheduleOwner } from '../config/workloads.js'
import { previewOf } from '../dry-run.js'

const ScheduleSource = t.keyof({ committed: null, default: null })

/** `GET /config/schedules`: every workload, in the order of the table. */
export const SchedulesAnswer = t.type(
  {
    workloads: t.readonlyArray(
      t.type(
        {
          workload: t.string,
          owner: ScheduleOwner,
          allowed: t.readonlyArray(ScheduleOwner),
          default: ScheduleOwner,
          source: ScheduleSource,
        },
        'ScheduledWorkload',
      ),
    ),
    source: ScheduleSource,
  },
  'SchedulesAnswer',
)
export type SchedulesAnswer = t.TypeOf<typeof SchedulesAnswer>

/** `PATCH /config/schedules/{workload}`. A text outside the set of the workload is 422, which names the set. */
export const OwnerPatch = t.type({ owner: t.string }, 'OwnerPatch')

const afterwards = {
  owner: ScheduleOwner,
  changed: t.boolean,
  effectiveAfterConverge: t.literal(true),
} as const

export const OwnerSet = t.type({ set: t.string, ...afterwards }, 'OwnerSet')
export const OwnerPreview = previewOf({ wouldSet: t.string, ...afterwards }, 'OwnerPreview')
export const OwnerAnswer = t.union([OwnerSet, OwnerPreview], 'OwnerAnswer')
export type OwnerAnswer = t.TypeOf<typeof OwnerAnswer>
