import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import { configBounds } from '#protocol/bounds.js'
import {
  isWorkload,
  listOwners,
  ownerWords,
  type ScheduleOwner,
  type Workload,
  workloadNames,
} from '#protocol/host/config.js'
import type {
  governanceRoutes,
  OwnerAnswer,
  PermissionFields,
  PermissionsAnswer,
} from '#protocol/identity/governance.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { configIn } from '#src/domain/config/read-config.js'
import { configPath, readSchedules } from '#src/domain/config/schedules.js'
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
import { setMember } from '#src/domain/json/set-member.js'
import { type ChangeSet, recordMapText } from '#src/domain/lore/changes.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Planners } from './command.js'

/** Planners of permissions and of schedules (A 4.11). */
export const governancePlanners: Planners<typeof governanceRoutes> = {
  'governance.permissions.update': (snapshot, { path, body, nowMs }) =>
    updatePermissions(snapshot, { nick: path.nick, patch: body }, nowMs),
  'config.schedules.update': (snapshot, { path, body }) =>
    setScheduleOwner(snapshot, path.workload, body.owner),
}

type OwnerRefusal = RefusalOf<'WorkloadNotFound' | 'OwnerNotAllowed' | 'StoreUnreadable'>

const refuseFile = (why: string): RefusalOf<'StoreUnreadable'> =>
  refuse('StoreUnreadable', `${configPath} ${why}`, { file: configPath })

const checkWorkload = (name: string): Either<RefusalOf<'WorkloadNotFound'>, Workload> =>
  isWorkload(name)
    ? right(name)
    : left(
        refuse('WorkloadNotFound', `No recurring workload has the name "${name}".`, {
          workloads: workloadNames,
        }),
      )

const checkOwner = (
  workload: Workload,
  owner: string,
): Either<RefusalOf<'OwnerNotAllowed'>, ScheduleOwner> => {
  const allowed = listOwners(workload)
  const found = allowed.find(one => one === owner)
  if (found !== undefined) return right(found)
  const detail = `The owner of ${workload} must be ${ownerWords(workload)}.`
  return left(refuse('OwnerNotAllowed', detail, { allowed }))
}

/** The text of the configuration with the owner, or why the file cannot be edited. */
const textWith = (
  { files, leftOut }: Snapshot,
  workload: Workload,
  owner: ScheduleOwner,
): Either<RefusalOf<'StoreUnreadable'>, string> => {
  const file = files.get(configPath) ?? null
  if (leftOut.has(configPath))
    return left(refuseFile('is too large to be read. Shorten it, and commit that.'))
  const parsed = file === null ? null : configIn(file)
  if (parsed !== null && isLeft(parsed))
    return left(refuseFile(`does not parse: ${parsed.left.reason}. Fix it, and commit that.`))
  const after = setMember(file?.text ?? '{}\n', 'schedules', workload, owner)
  return Buffer.byteLength(after) > configBounds.bytes
    ? left(refuseFile('would be too large to be read. Remove keys that are not needed.'))
    : right(after)
}

/**
 * `PATCH /config/schedules/{workload}` (A 4.11): sets the owner in the committed configuration and keeps every
 * other byte of it. An owner that the file states already is no change.
 */
const setScheduleOwner = (
  snapshot: Snapshot,
  name: string,
  wanted: string,
): Either<OwnerRefusal, ChangeSet<OwnerAnswer>> => {
  const workload = checkWorkload(name)
  if (isLeft(workload)) return workload
  const owner = checkOwner(workload.right, wanted)
  if (isLeft(owner)) return owner
  const after = textWith(snapshot, workload.right, owner.right)
  if (isLeft(after)) return after
  const file = snapshot.files.get(configPath) ?? null
  const present = readSchedules(file).of(workload.right)
  const changed = present.source === 'default' || present.owner !== owner.right
  const before = file?.blob ?? null
  const answer = { owner: owner.right, changed, effectiveAfterConverge: true } as const
  return right({
    edits: changed ? [{ _tag: 'Whole', path: configPath, before, after: after.right }] : [],
    claims: [`slot:${configPath}`],
    touches: [{ kind: 'schedule', name: workload.right }],
    subject: `schedules: ${workload.right} is owned by ${owner.right}`,
    answer: { set: workload.right, ...answer },
    preview: { wouldSet: workload.right, ...answer },
  })
}

/** The field values to set, and the person's heading, alias or game id. */
interface PermissionWish {
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
const updatePermissions = (
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
