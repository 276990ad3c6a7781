import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type EntityType, nameKey } from '#protocol/atoms.js'
import type { CreateAnswer, TagValues } from '#protocol/entity-writes.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { nameTags } from '#src/domain/lore/rows.js'
import { rosterStoreProperty } from '#src/domain/people/roster.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { entityClaim, nameClaim, spellingClaims, touchBlock, treeClaims } from './entity-change.js'
import { indexSlot } from './index-slot.js'
import { headingFault, nameText } from './names/name-fault.js'
import { unresolvedUses } from './names/name-uses.js'
import { bearerOf, nameTaken, recordTaken } from './names/taken.js'
import { unresolvedNames } from './names/value-names.js'
import { blockLines, newTags } from './new-block.js'
import { placesSharingLeaf, sharedLeafReason } from './place-value.js'
import { refuseValue } from './tag-value.js'

/** The block that a request creates. */
export interface NewEntity {
  readonly name: string
  readonly type: EntityType
  readonly tags: TagValues
}

export type CreateEntityRefusal = RefusalOf<
  'RosterStoreProperty' | 'TagUnknown' | 'ValueRefused' | 'NameTaken'
>

/**
 * Creates a block at the end of the index (B 4.1, D31). A name that equals a word of a route is allowed; the
 * integrity of the index reports it (D13).
 */
export const createEntity = (
  snapshot: Snapshot,
  wanted: NewEntity,
): Either<CreateEntityRefusal, ChangeSet<CreateAnswer>> => {
  const { entities, people, files, day } = snapshot
  const { type } = wanted
  const name = nameText(wanted.name)
  if (type === 'Gracz') return left(rosterStoreProperty(name.slice(0, 200), null))
  const fault = headingFault(wanted.name, type)
  if (fault !== null) return left(refuseValue('name', fault))
  const key = nameKey(name)
  const bearer = bearerOf(entities, key, type)
  if (bearer !== null) return left(nameTaken(name, bearer))
  const sharing = type === 'Lokacja' ? placesSharingLeaf(entities, name, null) : []
  if (sharing.length > 0) return left(refuseValue('name', sharedLeafReason, sharing))
  const tags = newTags(wanted.tags, { name, type, entity: null, entities, people, day })
  if (isLeft(tags)) return tags
  const slot = indexSlot(files)
  const spellings = [...tags.right].flatMap(([tag, values]) => (nameTags.has(tag) ? values : []))
  const recorded = recordTaken(snapshot, [name, ...spellings], { type, entity: null })
  if (recorded !== null) return left(recorded)
  const given = [...tags.right].flatMap(([tag, values]) =>
    values.map(value => ({ tag, value, field: `tags.${tag}` })),
  )
  const unresolved = unresolvedNames(snapshot, type, given)
  const told = unresolvedUses(snapshot, [name, ...spellings], null, unresolved)
  return right({
    edits: [slot.edit(blockLines(name, { type, day }, tags.right))],
    claims: [
      entityClaim({ type, key }),
      nameClaim(key),
      ...(slot.claim === null ? [] : [slot.claim]),
      ...[...tags.right].flatMap(([tag, values]) => [
        ...spellingClaims(tag, values),
        ...treeClaims(type, tag),
      ]),
    ],
    touches: [touchBlock({ type, name })],
    subject: `entities: ${name}, a new ${type}`,
    status: 201,
    answer: { created: name, type, ...told },
    preview: { wouldCreate: name, type, ...told },
  })
}
