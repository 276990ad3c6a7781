import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Day, EntityType } from '#protocol/atoms.js'
import type { CreateAnswer, DeleteAnswer, TagPatch, UpdateAnswer } from '#protocol/entity-writes.js'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { createEntity, type NewEntity } from './create-entity.js'
import { deleteEntity } from './delete-entity.js'
import { patchEntity } from './patch-entity.js'
import { refuseValue } from './tag-value.js'
import { ruleOf, tagName } from './wanted-tag.js'

type TypedRefusal = RefusalOf<'AmbiguousName' | 'TagUnknown' | 'ValueRefused' | 'BodyInvalid' | 'NameTaken'>

/** Types that have write routes of their own. */
type OwnRoutes = Exclude<EntityType, 'Gracz'>

const impossible = (refusal: Refusal): Error =>
  new Error(`a block of a route's own type was refused: ${refusal._tag}`)

/** Patches one tag of a block by the route of its type. Refuses to change the type itself. */
export const patchEntityOfType = (
  snapshot: Snapshot,
  entity: Entity,
  patch: TagPatch,
): Either<TypedRefusal, ChangeSet<UpdateAnswer>> => {
  if (tagName(patch.tag) === 'typ')
    return left(refuseValue('@typ', 'is set by this route; change it with PATCH /entities/{name}'))
  // The route names the type, so a refusal of the tag tells its caller nothing about the block.
  const rule = ruleOf(patch.tag, entity.type)
  if (isLeft(rule)) return rule
  const change = patchEntity(snapshot, entity, patch)
  if (!isLeft(change)) return change
  const refusal = change.left
  if (refusal._tag === 'RosterStoreProperty') throw impossible(refusal)
  return left(refusal)
}

/** Creates a block by the route of its type. */
export const createEntityOfType = (
  snapshot: Snapshot,
  wanted: NewEntity & { readonly type: OwnRoutes },
): Either<RefusalOf<'TagUnknown' | 'ValueRefused' | 'NameTaken'>, ChangeSet<CreateAnswer>> => {
  const made = createEntity(snapshot, wanted)
  if (!isLeft(made)) return right(made.right)
  if (made.left._tag === 'RosterStoreProperty') throw impossible(made.left)
  return left(made.left)
}

/** Deletes a block softly by the route of its type; `since` as in `deleteEntity`. */
export const deleteEntityOfType = (
  snapshot: Snapshot,
  entity: Entity,
  since: Day | null,
): Either<RefusalOf<'AmbiguousName'>, ChangeSet<DeleteAnswer>> => {
  const change = deleteEntity(snapshot, entity, since)
  if (!isLeft(change)) return change
  const refusal = change.left
  if (refusal._tag === 'RosterStoreProperty') throw impossible(refusal)
  return left(refusal)
}
