import { type Either, getOrElse, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Day, type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import type {
  CreateAnswer,
  DeleteAnswer,
  entitiesWriteRoutes,
  TagPatch,
  TagValues,
  UpdateAnswer,
} from '#protocol/lore/entity-writes.js'
import type { AliasAnswer, namesWriteRoutes } from '#protocol/lore/names.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import { type Entity, typeOf } from '#src/domain/entities/entity.js'
import { type ChangeSet, scalarChange } from '#src/domain/lore/changes.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import type { RowChange } from '#src/domain/lore/rows/row-change.js'
import { rowSplices } from '#src/domain/lore/rows/row-splices.js'
import { nameTags, valueText } from '#src/domain/lore/rows/rows.js'
import { rosterStoreProperty } from '#src/domain/people/roster.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { quoteBlock } from '../answers/quoted-lore.js'
import type { Planners } from '../command.js'
import {
  blockLines,
  type EntityTarget,
  entityClaim,
  fileEdit,
  indexSlot,
  nameClaim,
  newTags,
  planForBlock,
  spellingClaims,
  targetOf,
  touchBlock,
  treeClaims,
} from './entity-change.js'
import { unresolvedNames, unresolvedUses } from './name-uses.js'
import { renameEntity } from './rename.js'
import { type TagChange, tagChange } from './tag-change.js'
import { placesSharingLeaf, refuseValue, ruleOf, sharedLeafReason, tagName } from './tags.js'
import { bearerOf, formTaken, headingFault, nameTaken, nameText, recordTaken } from './taken.js'

/** Planners of the entity writes (B 4.1). */
export const entityPlanners: Planners<typeof entitiesWriteRoutes> = {
  'entities.create': (snapshot, { body }) => createEntity(snapshot, { tags: {}, ...body }),
  'entities.update': (snapshot, { path, query, body, nowMs }) =>
    planForBlock(path.name, query.type, (at, entity) => patchEntity(at, entity, body))(snapshot, nowMs),
  'entities.delete': (snapshot, { path, query, nowMs }) =>
    planForBlock(path.name, query.type, deleteEntity)(snapshot, nowMs),
  'entities.rename': (snapshot, { path, query, body, nowMs }) =>
    planForBlock(path.name, query.type, (at, entity) => renameEntity(at, entity, body.name))(snapshot, nowMs),
}

/** The block that a request creates. */
export interface NewEntity {
  readonly name: string
  readonly type: EntityType
  readonly tags: TagValues
}

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

/** Planners of the writes of names (B 4.1). */
export const namePlanners: Planners<typeof namesWriteRoutes> = {
  'normalization.aliases.accept': (snapshot, { body: { surface, name, type }, nowMs }) =>
    planForBlock(name, type, (at, entity) => acceptAlias(at, entity, surface))(snapshot, nowMs),
}

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

type CreateEntityRefusal = RefusalOf<'RosterStoreProperty' | 'TagUnknown' | 'ValueRefused' | 'NameTaken'>

type PatchRefusal = RefusalOf<
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

const status = 'Usunięty'

const nothing = (): ReadonlyArray<RowChange> => []

const changesOf = (
  { day: today }: Snapshot,
  { block, entity }: EntityTarget,
  since: Day | null,
): ReadonlyArray<RowChange> => {
  const active = entity.rows.filter(row => row.tag === 'status' && activeOn(row.range, today))
  const rows = block.rows.filter(row => row.tag === 'status')
  const isGone = active.at(-1)?.value === status
  const from = since === null || isGone ? undefined : { text: since, day: since }
  const wanted = { tag: 'status', value: status, from, to: null }
  return pipe(scalarChange(wanted, { rows, active, today }), getOrElse(nothing))
}

/**
 * Deletes a block softly by a dated status; nothing is removed from the index (B 3, FORMATS 1.9). `since` is
 * the first day of the status; null means this month.
 */
const deleteEntity = (
  snapshot: Snapshot,
  entity: Entity,
  since: Day | null = null,
): Either<RefusalOf<'RosterStoreProperty' | 'AmbiguousName'>, ChangeSet<DeleteAnswer>> => {
  const target = targetOf(snapshot.files, entity, null)
  if (isLeft(target)) return target
  const { block, lines, file } = target.right
  return right({
    edits: fileEdit(file, rowSplices(block, lines, changesOf(snapshot, target.right, since))),
    claims: [entityClaim(entity)],
    touches: [touchBlock(entity)],
    subject: `entities: ${entity.name} is deleted`,
    answer: { deleted: entity.name, status },
    preview: { wouldDelete: entity.name, status },
  })
}

const answersOf = ({ name, type }: Entity, surface: string, changed: boolean) => {
  const said = { name, type, changed }
  return { answer: { accepted: surface, ...said }, preview: { wouldAccept: surface, ...said } }
}

const unchanged = (entity: Entity, surface: string): ChangeSet<AliasAnswer> => ({
  edits: [],
  claims: [],
  touches: [],
  subject: `names: "${surface}" is a name of ${entity.name} already`,
  ...answersOf(entity, surface, false),
})

/** Whether the block has the spelling as its heading, or as another spelling that is active today. */
const isCalled = ({ key: heading, rows }: Entity, key: NameKey, day: Day): boolean =>
  key === heading ||
  rows.some(({ tag, value, range }) => nameTags.has(tag) && nameKey(value) === key && activeOn(range, day))

const blankRun = /[ \u00a0]+/gu
const monthChars = 'YYYY-MM'.length

/**
 * Writes a spelling as `@alias` of a block from the month of today on, unless another block has it in any form
 * (B 4.1).
 */
const acceptAlias = (
  snapshot: Snapshot,
  entity: Entity,
  written: string,
): Either<Exclude<PatchRefusal, { readonly _tag: 'TagUnknown' }>, ChangeSet<AliasAnswer>> => {
  const surface = valueText(written).replace(blankRun, ' ')
  const taken = formTaken(snapshot, surface, entity)
  if (taken !== null) return left(taken)
  if (isCalled(entity, nameKey(surface), snapshot.day)) return right(unchanged(entity, surface))
  const from = snapshot.day.slice(0, monthChars)
  const patched = patchEntity(snapshot, entity, { tag: 'alias', value: surface, from })
  if (isLeft(patched)) {
    if (patched.left._tag === 'TagUnknown')
      throw new Error('a block does not take @alias, which every block takes')
    return left(patched.left)
  }
  return right({ ...patched.right, ...answersOf(entity, surface, patched.right.edits.length > 0) })
}

type TypedRefusal = RefusalOf<'AmbiguousName' | 'TagUnknown' | 'ValueRefused' | 'BodyInvalid' | 'NameTaken'>

/** Types that have write routes of their own. */
type OwnRoutes = Exclude<EntityType, 'Gracz'>

const impossible = (refusal: Refusal): Error =>
  new Error(`a block of a route's own type was refused: ${refusal._tag}`)
