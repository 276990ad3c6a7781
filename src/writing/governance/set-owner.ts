import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { configBounds } from '#protocol/bounds.js'
import {
  isWorkload,
  listOwners,
  ownerWords,
  type ScheduleOwner,
  type Workload,
  workloadNames,
} from '#protocol/config.js'
import type { OwnerAnswer } from '#protocol/governance.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { configIn } from '#src/domain/config/read-config.js'
import { configPath, readSchedules } from '#src/domain/config/schedules.js'
import { setMember } from '#src/domain/json/set-member.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

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
export const setScheduleOwner = (
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
