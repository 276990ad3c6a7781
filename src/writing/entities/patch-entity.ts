import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { TagPatch, UpdateAnswer } from '#protocol/entity-writes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { type Entity, typeOf } from '#src/domain/entities/entity.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { rowSplices } from '#src/domain/lore/row-splices.js'
import { nameTags } from '#src/domain/lore/rows.js'
import { rosterStoreProperty } from '#src/domain/people/roster.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { quoteBlock } from '../answers/quoted-lore.js'
import { entityClaim, fileEdit, nameClaim, spellingClaims, touchBlock, treeClaims } from './entity-change.js'
import { unresolvedUses } from './names/name-uses.js'
import { bearerOf, nameTaken, recordTaken } from './names/taken.js'
import { unresolvedNames } from './names/value-names.js'
import { placesSharingLeaf, sharedLeafReason } from './place-value.js'
import { type TagChange, tagChange } from './tag-change.js'
import { refuseValue } from './tag-value.js'
import { type EntityTarget, targetOf } from './target.js'

export type PatchRefusal = RefusalOf<
  'RosterStoreProperty' | 'AmbiguousName' | 'TagUnknown' | 'ValueRefused' | 'BodyInvalid' | 'NameTaken'
>

const aliasNames = ({ rows }: Entity): ReadonlyArray<string> =>
  rows.flatMap(({ tag, value }) => (nameTags.has(tag) && value !== '' ? [value] : []))

/** The refusal of a type because of the heading or another spelling of the block, which the request may not name. */
const quoteName = (refusal: RefusalOf<'NameTaken'>, entity: Entity): RefusalOf<'NameTaken'> =>
  quoteBlock(
    refusal,
    refuse('NameTaken', 'Something in the lore has a name of the block. Choose another type.', {
      name: '',
      type: '',
    }),
    entity,
  )

/** Refuses a new type or spelling under which a closed session means another block. */
const refuseTakenName = (
  snapshot: Snapshot,
  { entity }: EntityTarget,
  { rule, value, changes }: TagChange,
  isRemoval: boolean,
): RefusalOf<'NameTaken' | 'RosterStoreProperty' | 'ValueRefused'> | null => {
  if (nameTags.has(rule.tag) && value !== null && changes.length > 0 && !isRemoval)
    return recordTaken(snapshot, [value], { type: entity.type, entity })
  const type = rule.tag === 'typ' && value !== null && changes.length > 0 ? typeOf(value) : null
  if (type === null) return null
  if (type === 'Gracz') return rosterStoreProperty(entity.name, '@typ')
  const names = [entity.name, ...aliasNames(entity)]
  const bearer = bearerOf(snapshot.entities, entity.key, type, entity)
  if (bearer !== null) return quoteName(nameTaken(entity.name, bearer), entity)
  const sharing =
    type === 'Lokacja' ? names.flatMap(name => placesSharingLeaf(snapshot.entities, name, entity)) : []
  if (sharing.length > 0)
    return refuseValue('@typ', `cannot be Lokacja: the name ${sharedLeafReason}`, sharing)
  const recorded = recordTaken(snapshot, names, { type, entity })
  return recorded === null ? null : quoteName(recorded, entity)
}

/** Sets or ends one tag of a block (B 4.1, D32, docs/spec/tag-writes.md#dates). */
export const patchEntity = (
  snapshot: Snapshot,
  entity: Entity,
  patch: TagPatch,
): Either<PatchRefusal, ChangeSet<UpdateAnswer>> => {
  const target = targetOf(snapshot.files, entity, patch.tag)
  if (isLeft(target)) return target
  const change = tagChange(snapshot, target.right, patch)
  if (isLeft(change)) return change
  const taken = refuseTakenName(snapshot, target.right, change.right, patch.remove === true)
  if (taken !== null) return left(taken)
  const { block, lines, file } = target.right
  const { changes, rule, value } = change.right
  const edits = fileEdit(file, rowSplices(block, lines, changes))
  const names = value !== null && nameTags.has(rule.tag) && patch.remove !== true ? [value] : []
  const given = value === null || patch.remove === true ? [] : [{ tag: rule.tag, value, field: 'value' }]
  const said = {
    tag: patch.tag,
    changed: edits.length > 0,
    ...unresolvedUses(snapshot, names, entity, unresolvedNames(snapshot, entity.type, given)),
  }
  return right({
    edits,
    claims: [
      entityClaim(entity),
      ...(rule.tag === 'typ' ? [nameClaim(entity.key)] : []),
      ...spellingClaims(rule.tag, value === null ? [] : [value]),
      ...treeClaims(entity.type, rule.tag),
    ],
    touches: [touchBlock(entity)],
    subject: `entities: @${rule.tag} of ${entity.name}`,
    answer: { updated: entity.name, ...said },
    preview: { wouldUpdate: entity.name, ...said },
  })
}
