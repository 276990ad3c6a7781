import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import { instantOf, isCapabilityId } from '#protocol/atoms.js'
import type { GrantAnswer, Granted, GrantWish, RevokeAnswer } from '#protocol/identity.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Grade } from '#src/domain/callers/caller.js'
import type { Binding } from '#src/domain/identity/bindings.js'
import { type Doubt, identitiesOf, type Known, resolveGameId } from '#src/domain/identity/callers.js'
import { fitsCommitted } from '#src/domain/identity/committed-json.js'
import { type Grant, gradeOf, resolveCapabilities } from '#src/domain/identity/grade.js'
import { grantsByGameId, grantsPath, isGrant, type StoredGrant } from '#src/domain/identity/grants.js'
import { type ChangeSet, recordListText } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * The person who gives or takes a grant: their name as the file stores it, and their present capabilities.
 */
export interface Granter {
  readonly by: string
  readonly holds: ReadonlySet<string>
}

const ids = 'GET /schema lists the capabilities'

/**
 * A capability that a grant can give: a listed id or `<resource>.all` that resolves to at least one id.
 * `docs.edit` and its `all` cannot be granted (A 5).
 */
const grantable = (capability: string): Either<RefusalOf<'ValueRefused'>, Grant> =>
  isGrant(capability) && resolveCapabilities(new Set([capability])).length > 0
    ? right(capability)
    : left(
        refuse('ValueRefused', `No grant can give "${capability}"; ${ids}.`, {
          field: 'capability',
          candidates: [],
        }),
      )

/**
 * How far a set of capabilities covers a grant. `<resource>.all` includes ids that are added later, so only
 * `<resource>.all` itself or `admin.all` covers it.
 */
const gradeOfGrant = (holds: ReadonlySet<string>, capability: Grant): Grade => {
  if (isCapabilityId(capability)) return gradeOf(holds, capability)
  return holds.has(capability) || holds.has('admin.all') ? 'full' : 'none'
}

const unreadable = (): RefusalOf<'StoreUnreadable'> =>
  refuse(
    'StoreUnreadable',
    `${grantsPath} cannot be read. Fix it, or restore its last good version, and commit that.`,
    {
      file: grantsPath,
    },
  )

const full = (): RefusalOf<'StoreUnreadable'> =>
  refuse('StoreUnreadable', `${grantsPath} would be too long to read. Revoke grants that are not needed.`, {
    file: grantsPath,
  })

const whyNot = (gameId: string, doubt: Doubt): string => {
  switch (doubt._tag) {
    case 'Nobody':
      return `No person has the game id ${gameId} open today. GET /people lists the ids.`
    case 'Several':
      return `Several people have the game id ${gameId} open today, so it belongs to none. Close it in all but one.`
    case 'OneOfTwo':
      return `The person with the game id ${gameId} has a second id open today. Close one of them.`
  }
}

const personOf = (snapshot: Snapshot, gameId: string): Either<RefusalOf<'IdentityNotFound'>, Known> =>
  mapLeft((doubt: Doubt) => refuse('IdentityNotFound', whyNot(gameId, doubt)))(
    resolveGameId(snapshot, gameId),
  )

const textOf = ({ grants: { head } }: Snapshot, grants: ReadonlyArray<StoredGrant>): string =>
  recordListText(head, 'grants', grants)

const editOf = (snapshot: Snapshot, grants: ReadonlyArray<StoredGrant>): FileEdit => ({
  _tag: 'Whole',
  path: grantsPath,
  before: snapshot.files.get(grantsPath)?.blob ?? null,
  after: textOf(snapshot, grants),
})

interface Change {
  readonly gameId: string
  readonly name: string | null
  readonly edits: ReadonlyArray<FileEdit>
  readonly subject: string
}

const changeSet = <A>(
  { gameId, name, edits, subject }: Change,
  answer: A,
  preview: object,
): ChangeSet<A> => ({
  edits,
  claims: [`slot:${grantsPath}`],
  touches: [{ kind: 'identity', name: name ?? gameId }],
  subject,
  answer,
  preview,
})

/** How far the person still holds a revoked capability, by the remaining grants and their roles. */
const gradeAfter = (
  snapshot: Snapshot,
  gameId: string,
  kept: ReadonlyArray<StoredGrant>,
  capability: string,
): Grade => {
  const grants = { ...snapshot.grants, byGameId: grantsByGameId(kept) }
  const person = identitiesOf({ ...snapshot, grants }).byGameId(gameId)
  return person === null || !isGrant(capability) ? 'none' : gradeOfGrant(person.holds, capability)
}

/**
 * The chat account that gets the right together with the id, so that the granter can check how it was bound.
 */
const visibleBinding = (binding: Binding | null): Granted['binding'] =>
  binding === null ? null : { chatId: binding.chatId, since: binding.since, by: binding.by }

type GrantRefusal = RefusalOf<'ValueRefused' | 'Forbidden' | 'IdentityNotFound' | 'StoreUnreadable'>

/**
 * Gives a capability to a person by their game id (D40). The granter must hold it in full: otherwise
 * `capability.admin` would amount to `admin.all` (ADR 1019). A grant that exists is not written twice.
 */
export const grantPlan =
  (wish: GrantWish, granter: Granter) =>
  (snapshot: Snapshot, nowMs: number): Either<GrantRefusal, ChangeSet<GrantAnswer>> => {
    const wanted = grantable(wish.capability)
    if (isLeft(wanted)) return wanted
    const capability = wanted.right
    if (gradeOfGrant(granter.holds, capability) !== 'full')
      return left(
        refuse('Forbidden', `You can give only what you have in full, and you lack ${capability}.`, {
          required: capability,
        }),
      )
    const person = personOf(snapshot, wish.gameId)
    if (isLeft(person)) return person
    const { stored } = snapshot.grants
    if (stored === null) return left(unreadable())
    const { gameId, name } = person.right.identity
    const stands = stored.some(one => one.gameId === gameId && one.capability === capability)
    const grant = { gameId, capability, since: instantOf(nowMs), by: granter.by }
    const grants = stands ? stored : [...stored, grant]
    if (!stands && !fitsCommitted(textOf(snapshot, grants))) return left(full())
    const binding = snapshot.bindings.byGame.get(gameId) ?? null
    const after = { gameId, name, changed: !stands, held: 'full', binding: visibleBinding(binding) } as const
    return right(
      changeSet(
        {
          gameId,
          name,
          edits: stands ? [] : [editOf(snapshot, grants)],
          subject: `grants: give ${capability} to ${name} (${gameId})`,
        },
        { granted: capability, ...after },
        { wouldGrant: capability, ...after },
      ),
    )
  }

type RevokeRefusal = RefusalOf<'ValueRefused' | 'IdentityNotFound' | 'StoreUnreadable'>

/**
 * The refusal when no such grant exists and none could: the id or the capability is wrong. It keeps a typing
 * mistake from looking like a success.
 */
const slip = (snapshot: Snapshot, { gameId, capability }: GrantWish): RevokeRefusal | null => {
  const wanted = grantable(capability)
  if (isLeft(wanted)) return wanted.left
  const person = personOf(snapshot, gameId)
  return isLeft(person) ? person.left : null
}

/**
 * Revokes any grant in the file, also one of an id that belongs to nobody any more or of an unknown
 * capability. The caller need not hold what they revoke, because less is never an elevation (ADR 1019).
 */
export const revokePlan =
  (wish: GrantWish) =>
  (snapshot: Snapshot): Either<RevokeRefusal, ChangeSet<RevokeAnswer>> => {
    const { stored } = snapshot.grants
    if (stored === null) return left(unreadable())
    const { gameId, capability } = wish
    const kept = stored.filter(one => one.gameId !== gameId || one.capability !== capability)
    const changed = kept.length < stored.length
    const refusal = changed ? null : slip(snapshot, wish)
    if (refusal !== null) return left(refusal)
    const name = identitiesOf(snapshot).byGameId(gameId)?.identity.name ?? null
    const after = { gameId, name, changed, held: gradeAfter(snapshot, gameId, kept, capability) }
    return right(
      changeSet(
        {
          gameId,
          name,
          edits: changed ? [editOf(snapshot, kept)] : [],
          subject: `grants: take ${capability} from ${name ?? 'nobody'} (${gameId})`,
        },
        { revoked: capability, ...after },
        { wouldRevoke: capability, ...after },
      ),
    )
  }
