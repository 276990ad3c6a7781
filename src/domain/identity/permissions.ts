import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { requirePath } from '#protocol/atoms.js'
import { type PermissionFields, type PermissionRow, PermissionValue } from '#protocol/identity/governance.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { lossFault } from '#src/domain/lore/rows/rows.js'
import { personNamed, rosterOf } from '#src/domain/people/roster.js'
import { type IdentityGround, identitiesOf, type Known } from './callers.js'
import { readCommittedJson } from './committed-json.js'

export const permissionsPath = requirePath('.svc/permissions.json')

/** The field that the host stamps: when the row last changed. */
export const stampField = 'zmieniono'

/** The permissions of the committed file; null is no file. An unreadable file is a finding. */
export const readPermissions = (file: SourceFile | null): Permissions =>
  file === null ? none : readFile(file)

/** A row without its stamp, and the stamp. */
export const splitStamp = (
  row: PermissionFields,
): { readonly fields: PermissionFields; readonly zmieniono: string | null } => {
  const { [stampField]: stamp, ...fields } = row
  return { fields, zmieniono: typeof stamp === 'string' ? stamp : null }
}

/** A field that a row cannot hold. */
export interface FieldFault {
  readonly field: string
  readonly reason: string
}

/**
 * The fields of a row after a patch: a value sets a field, null removes it. The first bad field of the patch
 * refuses it whole.
 */
export const patchFields = (
  fields: PermissionFields,
  patch: Readonly<Record<string, unknown>>,
): Either<FieldFault, PermissionFields> => {
  const entries = Object.entries(patch)
  if (entries.length === 0) return left({ field: '$', reason: 'the body has no field' })
  for (const entry of entries) {
    const fault = faultOf(entry)
    if (fault !== null) return left(fault)
  }
  const kept = new Map(Object.entries(fields))
  for (const entry of entries)
    if (isValue(entry)) kept.set(entry[0], entry[1])
    else kept.delete(entry[0])
  const last = [...kept.keys()].at(-1) ?? ''
  return kept.size > permissionBounds.fields
    ? left({ field: last, reason: `a row has at most ${permissionBounds.fields} fields` })
    : right(Object.fromEntries(kept))
}

/** The person of a game id, a heading or an alias who has one game id of their own today; null for none. */
export const findByNick = (ground: IdentityGround, nick: string): Known | null => {
  const { byGameId } = identitiesOf(ground)
  const known = byGameId(nick)
  if (known !== null) return known
  const person = personNamed(ground.people, nick)
  const gameId = person === null ? null : (rosterOf(ground.people, ground.day).of.get(person)?.gameId ?? null)
  return gameId === null ? null : byGameId(gameId)
}

/** Whether a block has the text as its heading, as an alias of its own or as an open game id. */
export const isSomeone = (ground: IdentityGround, nick: string): boolean =>
  personNamed(ground.people, nick) !== null || identitiesOf(ground).holdersOf(nick).length > 0

/** The rows of the file; `id` keeps the row of that game id, or of the person whom it names. */
export const listPermissions = (
  ground: IdentityGround,
  rows: NonNullable<Permissions['rows']>,
  id: string | undefined,
): ReadonlyArray<PermissionRow> => {
  const { byGameId } = identitiesOf(ground)
  const wanted = id === undefined || rows.has(id) ? id : (findByNick(ground, id)?.identity.gameId ?? '')
  return [...rows]
    .filter(([gameId]) => wanted === undefined || gameId === wanted)
    .map(([gameId, row]) => ({ gameId, nick: byGameId(gameId)?.identity.name ?? null, ...splitStamp(row) }))
}

const Row = t.readonly(t.record(t.string, PermissionValue))

/** `.svc/permissions.json` (A 2.8): a row of flat fields for each narrator, by game id. */
const PermissionsFile = t.type({ permissions: t.record(t.string, Row) }, 'PermissionsFile')

interface Permissions {
  /** All rows by game id, in the order of the file; null when the file cannot be read. */
  readonly rows: ReadonlyMap<string, PermissionFields> | null
  /** Fields beside the rows that this daemon does not know; a write keeps them. */
  readonly head: Readonly<Record<string, unknown>>
  readonly findings: ReadonlyArray<Finding>
}

const none: Permissions = { rows: new Map(), head: {}, findings: [] }

const form = '{"permissions": {"<gameId>": {"<pole>": "<wartość>"}}}'

const unreadable = (file: SourceFile, fault: string): Finding => ({
  kind: 'PermissionsUnreadable',
  severity: 'error',
  file: file.path,
  line: null,
  subject: null,
  reason: `Plik uprawnień narratorów ${fault}; host go nie podaje i nie zmienia.`,
  suggestion: 'Popraw plik albo przywróć jego poprzednią wersję.',
})

const readFile = perValue((file: SourceFile): Permissions => {
  const read = readCommittedJson(file, PermissionsFile, form)
  if (isLeft(read)) return { ...none, rows: null, findings: [unreadable(file, read.left)] }
  const { permissions, ...head } = read.right
  return { rows: new Map(Object.entries(permissions)), head, findings: [] }
})

/** The bounds of one row. */
const permissionBounds = { fields: 64, nameChars: 64, textBytes: 1024 } as const

const nameFault = (name: string): string | null => {
  if (name === stampField) return 'the host sets it'
  if (name === '__proto__') return 'its name is reserved'
  if (name.length > permissionBounds.nameChars)
    return `its name has over ${permissionBounds.nameChars} characters`
  return /^[\p{L}\p{N}_-]+$/u.test(name) ? null : 'its name has other signs than letters, digits, _ and -'
}

/** Characters that end a line or change the reading direction. */
const forging = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const valueFault = (value: unknown): string | null => {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return null
  if (typeof value !== 'string') return 'it must be a text, a number, true, false, or null to remove it'
  if (Buffer.byteLength(value) > permissionBounds.textBytes)
    return `its text has over ${permissionBounds.textBytes} bytes`
  if (forging.test(value)) return 'its text has a control character, a newline or a direction mark'
  const loss = lossFault(value)
  return loss === null ? null : `its text ${loss}`
}

const faultOf = ([field, value]: readonly [string, unknown]): FieldFault | null => {
  const reason = nameFault(field) ?? valueFault(value)
  return reason === null ? null : { field: field.slice(0, permissionBounds.nameChars), reason }
}

const isValue = (entry: readonly [string, unknown]): entry is readonly [string, PermissionValue] =>
  PermissionValue.is(entry[1])
