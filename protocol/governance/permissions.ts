import * as t from 'io-ts'
import { previewOf } from '../dry-run.js'

/** A value of a field: flat, so that a row is one line of the file. */
export const PermissionValue = t.union([t.string, t.number, t.boolean], 'PermissionValue')
export type PermissionValue = t.TypeOf<typeof PermissionValue>

/** The fields of a row, such as `ranga` and `magia`, without `zmieniono`. */
export const PermissionFields = t.readonly(t.record(t.string, PermissionValue), 'PermissionFields')
export type PermissionFields = t.TypeOf<typeof PermissionFields>

const changedAt = { zmieniono: t.union([t.string, t.null]) } as const

/** The row of one narrator (Uprawnienia). */
export const PermissionRow = t.type(
  { gameId: t.string, nick: t.union([t.string, t.null]), fields: PermissionFields, ...changedAt },
  'PermissionRow',
)
export type PermissionRow = t.TypeOf<typeof PermissionRow>

/** `GET /governance/permissions`. */
export const PermissionRows = t.type(
  { count: t.number, items: t.readonlyArray(PermissionRow) },
  'PermissionRows',
)

/**
 * `PATCH /governance/permissions/{nick}`: the fields to set; null removes one. A list, a record or another bad
 * value is 422, which names the field.
 */
export const PermissionPatch = t.readonly(t.UnknownRecord, 'PermissionPatch')

export const PermissionsUpdated = t.type(
  { updated: t.string, fields: PermissionFields, ...changedAt },
  'PermissionsUpdated',
)
export const PermissionsPreview = previewOf(
  { wouldUpdate: t.string, fields: PermissionFields },
  'PermissionsPreview',
)
export const PermissionsAnswer = t.union([PermissionsUpdated, PermissionsPreview], 'PermissionsAnswer')
export type PermissionsAnswer = t.TypeOf<typeof PermissionsAnswer>
