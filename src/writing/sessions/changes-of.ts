import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { entityTypes } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { splitRange } from '#src/domain/lore/days.js'
import { nameTags } from '#src/domain/lore/rows.js'
import { isKnownTag, tagKeys } from '#src/domain/lore/tag-schema.js'
import { resolveUpToForms } from '#src/domain/names/possible-forms.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { scriptFault } from '../entities/names/name-fault.js'
import { tagValue } from '../entities/tag-value.js'
import { ruleOfBlock } from '../entities/wanted-tag.js'
import type { SessionBlocks } from './report/draft.js'
import { rejectValue } from './values.js'

type Refused = Either<RefusalOf<'TagUnknown' | 'ValueRefused'>, null>
type Change = SessionBlocks['changes'][number]

const taken: Refused = right(null)
const writable = entityTypes.filter(type => type !== 'Gracz')

/**
 * The entity that `Zmiany` change: by a written name, else by an inflected form; a Gracz only when no other type
 * has the name, as in the overlay (FORMATS 4.5).
 */
const findChangedEntity = ({ names }: Snapshot, name: string): Entity | null =>
  resolveUpToForms(names, name, [writable, null]).found.entity

const ofAnyType = (tag: string, text: string, field: string): Refused => {
  if (!isKnownTag(tag))
    return left(
      refuse('TagUnknown', 'No type of block takes this tag. GET /schema lists the tags.', {
        tag: `@${tag}`,
        allowed: tagKeys.map(one => `@${one}`),
      }),
    )
  const fault = nameTags.has(tag) || tag === 'generyczne_nazwy' ? scriptFault(text) : null
  return fault === null ? taken : rejectValue(field, `The value of @${tag} ${fault}.`)
}

const ofEntity = (snapshot: Snapshot, entity: Entity, tag: string, text: string, field: string): Refused => {
  const rule = ruleOfBlock(tag, entity)
  if (isLeft(rule)) return rule
  if (tag === 'typ') return rejectValue(field, 'A session cannot change a type. Use PATCH /entities/{name}.')
  // A quantity of a session may be a difference (FORMATS 1.8).
  if (tag === 'ilość' && /^\+\d{1,15}$/u.test(text)) return taken
  const { entities, people, day } = snapshot
  const value = tagValue(rule.right, text, {
    name: entity.name,
    type: entity.type,
    entity,
    entities,
    people,
    day,
  })
  if (!isLeft(value)) return taken
  const { detail, candidates } = value.left
  return left(refuse('ValueRefused', detail, { field, candidates }))
}

const changeRefused = (snapshot: Snapshot, { entity: name, tags }: Change, at: string): Refused => {
  const entity = findChangedEntity(snapshot, name)
  if (entity?.type === 'Gracz')
    return rejectValue(
      `${at}.entity`,
      'A session cannot change a Gracz. Edit kontrybutorzy.md and commit the change.',
    )
  for (const [nth, { tag, value }] of tags.entries()) {
    const field = `${at}.tags[${nth}].value`
    const { text, suspect } = splitRange(value)
    if (suspect) return rejectValue(field, 'The end of the value is not a range of days (from:to).')
    const refused =
      entity === null ? ofAnyType(tag, text, field) : ofEntity(snapshot, entity, tag, text, field)
    if (isLeft(refused)) return refused
  }
  return taken
}

/**
 * Refuses the first tag of `Zmiany` that the tag schema does not know, or the first value that its tag does
 * not accept, because closing the session applies these rows to the index. For an unknown entity the tag must
 * be one of some type.
 */
export const changesRefused = (snapshot: Snapshot, changes: SessionBlocks['changes'] = []): Refused => {
  for (const [at, change] of changes.entries()) {
    const refused = changeRefused(snapshot, change, `metadata.changes[${at}]`)
    if (isLeft(refused)) return refused
  }
  return taken
}
