import * as t from 'io-ts'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { ScheduleOwner } from '../host/config.js'
import { NameText } from '../query.js'
import { read, type Table, write } from '../route.js'

/** A value of a field: flat, so that a row is one line of the file. */
export const PermissionValue = t.union([t.string, t.number, t.boolean], 'PermissionValue')

/** The fields of a row, such as `ranga` and `magia`, without `zmieniono`. */
export const PermissionFields = t.readonly(t.record(t.string, PermissionValue), 'PermissionFields')

const changedAt = { zmieniono: t.union([t.string, t.null]) } as const

/** The row of one narrator (Uprawnienia). */
export const PermissionRow = t.type(
  { gameId: t.string, nick: t.union([t.string, t.null]), fields: PermissionFields, ...changedAt },
  'PermissionRow',
)

/** `GET /governance/permissions`. */
const PermissionRows = t.type({ count: t.number, items: t.readonlyArray(PermissionRow) }, 'PermissionRows')

/**
 * `PATCH /governance/permissions/{nick}`: the fields to set; null removes one. A list, a record or another bad
 * value is 422, which names the field.
 */
const PermissionPatch = t.readonly(t.UnknownRecord, 'PermissionPatch')

const PermissionsUpdated = t.type(
  { updated: t.string, fields: PermissionFields, ...changedAt },
  'PermissionsUpdated',
)
const PermissionsPreview = previewOf(
  { wouldUpdate: t.string, fields: PermissionFields },
  'PermissionsPreview',
)
export const PermissionsAnswer = t.union([PermissionsUpdated, PermissionsPreview], 'PermissionsAnswer')

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

/** `PATCH /config/schedules/{workload}`. A text outside the set of the workload is 422, which names the set. */
const OwnerPatch = t.type({ owner: t.string }, 'OwnerPatch')

const afterwards = {
  owner: ScheduleOwner,
  changed: t.boolean,
  effectiveAfterConverge: t.literal(true),
} as const

const OwnerSet = t.type({ set: t.string, ...afterwards }, 'OwnerSet')
const OwnerPreview = previewOf({ wouldSet: t.string, ...afterwards }, 'OwnerPreview')
export const OwnerAnswer = t.union([OwnerSet, OwnerPreview], 'OwnerAnswer')

/** Permissions of narrators, and owners of schedules (A 4.11). The rows come before `/governance/{ref}`. */
export const governanceRoutes = {
  'governance.permissions.list': read({
    path: '/governance/permissions',
    summary: 'The permissions of narrators; `id` is a game id, a heading or an alias, and keeps one row.',
    capability: 'governance.read',
    query: { id: NameText },
    answers: { 200: PermissionRows },
    refusals: ['StoreUnreadable'],
    source: 'A 4.11',
    example: { query: { id: '41001' } },
  }),
  'governance.permissions.update': write({
    method: 'PATCH',
    path: '/governance/permissions/{nick}',
    summary: 'Sets fields of the permissions of one Gracz, whom a heading, an alias or a game id names.',
    capability: 'governance.write',
    own: false,
    query: {},
    body: PermissionPatch,
    unknownKeys: 'written',
    reservedKey: 'ValueRefused',
    answers: { 200: PermissionsAnswer },
    refusals: ['PersonNotFound', 'IdentityNotFound', 'ValueRefused', 'StoreUnreadable'],
    source: 'A 4.11',
    example: {
      path: { nick: 'Brzoza' },
      body: { ranga: 'starszy narrator', magia: 'pełna', walki_pvp: true },
    },
  }),
  'config.schedules.get': read({
    path: '/config/schedules',
    summary: 'The recurring workloads with their owners, by the committed configuration.',
    capability: 'governance.read',
    query: {},
    answers: { 200: SchedulesAnswer },
    refusals: [],
    source: 'A 4.11',
    example: {},
  }),
  'config.schedules.update': write({
    method: 'PATCH',
    path: '/config/schedules/{workload}',
    summary: 'Sets the owner of a workload in the committed configuration.',
    capability: 'governance.write',
    own: false,
    query: {},
    body: OwnerPatch,
    answers: { 200: OwnerAnswer },
    refusals: ['WorkloadNotFound', 'OwnerNotAllowed', 'StoreUnreadable'],
    source: 'A 4.11',
    example: { path: { workload: 'map_checkup' }, body: { owner: 'ci' } },
  }),
} as const satisfies Table
export type PermissionValue = t.TypeOf<typeof PermissionValue>
export type PermissionFields = t.TypeOf<typeof PermissionFields>
export type PermissionRow = t.TypeOf<typeof PermissionRow>
export type PermissionsAnswer = t.TypeOf<typeof PermissionsAnswer>
export type SchedulesAnswer = t.TypeOf<typeof SchedulesAnswer>
export type OwnerAnswer = t.TypeOf<typeof OwnerAnswer>

const source = '`committed` where the committed file states a valid owner, `default` elsewhere.'
const gameId = 'Game id of the person.'
const fields = 'All fields of the row after the write, without `zmieniono`.'
const zmieniono = 'When the host last changed the row; null for a row that only persons edited.'

const afterwardsText = {
  owner: 'Owner after the write.',
  changed: 'False where the committed file already has the owner.',
  effectiveAfterConverge: 'Always true: this host obeys at once, other hosts once they have converged.',
} as const

export const governanceDescriptions: Descriptions = {
  SchedulesAnswer: {
    workloads: 'Every workload, in a fixed order.',
    source: '`committed` where the file states a valid owner of at least one workload.',
  },
  ScheduledWorkload: {
    workload: 'Name of the workload.',
    owner: '`fleet`: the tick of the apex runs it; `ci`: the job of CI runs it; `off`: neither does.',
    allowed: 'Owners that the workload may have.',
    default: 'Owner where the committed file states none, or an invalid one.',
    source,
  },
  OwnerPatch: { owner: 'The new owner, one of `allowed` of the workload.' },
  OwnerSet: { set: 'Name of the workload.', ...afterwardsText },
  OwnerPreview: { wouldSet: 'Name of the workload.', ...afterwardsText },
  PermissionRows: { count: 'Number of the listed rows.', items: 'The rows, in the order of the file.' },
  PermissionRow: {
    gameId: 'Game id that the row belongs to.',
    nick: 'Heading of the person who has the id today; null when it is not one person.',
    fields: 'The fields of the row without `zmieniono`.',
    zmieniono,
  },
  PermissionsUpdated: { updated: gameId, fields, zmieniono },
  PermissionsPreview: { wouldUpdate: gameId, fields },
}
