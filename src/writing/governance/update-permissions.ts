import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { PermissionFields, PermissionsAnswer } from '#protocol/governance.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Known } from '#src/domain/identity/callers.js'
import { fitsCommitted } from '#src/domain/identity/committed-json.js'
import {
  type FieldFault,
  findByNick,
  isSomeone,
  patchFields,
  permissionsPath,
  readPermissions,
  splitStamp,
  stampField,
} from '#src/domain/identity/permissions.js'
import { type ChangeSet, recordMapText } from '#src/domain/lore/changes.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** The field values to set, and the person's heading, alias or game id. */
export interface PermissionWish {
  readonly nick: string
  readonly patch: Readonly<Record<string, unknown>>
}

type PersonRefusal = RefusalOf<'PersonNotFound' | 'IdentityNotFound'>
type UpdateRefusal = PersonRefusal | RefusalOf<'ValueRefused' | 'StoreUnreadable'>

const refusePermissionsFile = (why: string): RefusalOf<'StoreUnreadable'> =>
  refuse('StoreUnreadable', `${permissionsPath} ${why}`, { file: permissionsPath })

const refuseField = ({ field, reason }: FieldFault): RefusalOf<'ValueRefused'> =>
  refuse('ValueRefused', `\`${field}\` cannot be written: ${reason}.`, { field, candidates: [] })

/** The person of a game id, a heading or an alias, who must have one game id of their own today. */
const findPerson = (snapshot: Snapshot, nick: string): Either<PersonRefusal, Known> => {
  const known = findByNick(snapshot, nick)
  if (known !== null) return right(known)
  if (isSomeone(snapshot, nick))
    return left(refuse('IdentityNotFound', `"${nick}" does not have exactly one game id of their own today.`))
  const nearest = nearestBlocks(snapshot.entities, nick, 'Gracz')
  return left(refuse('PersonNotFound', `No Gracz has the heading, alias or game id "${nick}".`, { nearest }))
}

const isSame = (one: PermissionFields, other: PermissionFields): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => Object.hasOwn(other, name) && other[name] === value)

/**
 * `PATCH /governance/permissions/{nick}` (A 4.11): sets the fields of the patch in the row of the person, and
 * stamps it. A patch that changes no field makes no commit and leaves the stamp.
 */
export const updatePermissions = (
  snapshot: Snapshot,
  { nick, patch }: PermissionWish,
  nowMs: number,
): Either<UpdateRefusal, ChangeSet<PermissionsAnswer>> => {
  const person = findPerson(snapshot, nick)
  if (isLeft(person)) return person
  const { gameId, name } = person.right.identity
  const file = snapshot.files.get(permissionsPath) ?? null
  const { rows, head } = readPermissions(file)
  if (rows === null || snapshot.leftOut.has(permissionsPath))
    return left(
      refusePermissionsFile('cannot be read. Fix it, or restore its last good version, and commit that.'),
    )
  const present = splitStamp(rows.get(gameId) ?? {})
  const patched = mapLeft(refuseField)(patchFields(present.fields, patch))
  if (isLeft(patched)) return patched
  const fields = patched.right
  const changed = !isSame(present.fields, fields)
  const zmieniono = changed ? instantOf(nowMs) : present.zmieniono
  const row = zmieniono === null ? fields : { ...fields, [stampField]: zmieniono }
  const after = recordMapText(head, 'permissions', new Map([...rows, [gameId, row]]))
  if (changed && !fitsCommitted(after)) return left(refusePermissionsFile('would be too long to be read.'))
  return right({
    edits: changed ? [{ _tag: 'Whole', path: permissionsPath, before: file?.blob ?? null, after }] : [],
    claims: [`slot:${permissionsPath}`],
    touches: changed ? [{ kind: 'permissions', name: gameId }] : [],
    subject: `permissions: fields of ${name} (${gameId})`,
    answer: { updated: gameId, fields, zmieniono },
    preview: { wouldUpdate: gameId, fields },
  })
}
