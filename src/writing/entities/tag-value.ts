import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type Day, type EntityType, nameKey, statuses } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { isNameable, isServable } from '#src/domain/entities/ref-target.js'
import { valueFault, valueText } from '#src/domain/lore/rows.js'
import type { TagRule } from '#src/domain/lore/tag-schema.js'
import { namesOfEntity } from '#src/domain/names/look-alike.js'
import { andMore, firstNames } from '#src/domain/names/name-index.js'
import { chatReference, type People, personNamed } from '#src/domain/people/roster.js'
import { nameFault, scriptFault } from './names/name-fault.js'
import { bearerOf } from './names/taken.js'
import {
  ambiguousPlaces,
  placesSharingLeaf,
  sharedLeafReason,
  wouldCloseCircle,
  wouldContainItself,
} from './place-value.js'

/** The block that gets a value, by name and type; `entity` is null for a new block. */
export interface ValuePlace {
  readonly name: string
  readonly type: EntityType
  readonly entity: Entity | null
  readonly entities: Entities
  readonly people: People
  readonly day: Day
}

interface Fault {
  readonly reason: string
  readonly candidates?: ReadonlyArray<string>
}

type Check = (value: string, place: ValuePlace) => Fault | null

const matches =
  (pattern: RegExp, wanted: string): Check =>
  value =>
    pattern.test(value) ? null : { reason: `is not ${wanted}` }

const isPlace: Check = (value, { name, type, entities, entity, day }) => {
  const candidates = ambiguousPlaces(entities, value, day)
  if (candidates.length > 1) return { reason: 'is the last name of several places', candidates }
  const circles =
    entity === null
      ? wouldCloseCircle(entities, name, value, day)
      : wouldContainItself(entities, entity, value, day)
  return type === 'Lokacja' && circles ? { reason: 'is inside the place itself' } : null
}

const isDoor: Check = (value, { entities, day }) => {
  const candidates = ambiguousPlaces(entities, value, day)
  return candidates.length > 1 ? { reason: 'is the last name of several places', candidates } : null
}

const isOwner: Check = (value, { type, people }) =>
  type === 'Postać' && personNamed(people, value) === null
    ? { reason: 'is not a Gracz of kontrybutorzy.md' }
    : null

const isName: Check = (value, { type, entity, entities }) => {
  const isNew = entity === null || !namesOfEntity(entity).some(({ name }) => nameKey(name) === nameKey(value))
  const fault = nameFault(value) ?? (isNew ? scriptFault(value) : null)
  if (fault !== null) return { reason: fault }
  const sharing = type === 'Lokacja' ? placesSharingLeaf(entities, value, entity) : []
  if (sharing.length > 0) return { reason: sharedLeafReason, candidates: sharing }
  const bearer = bearerOf(entities, nameKey(value), type, entity)
  return bearer === null ? null : { reason: `is a name of another ${type}`, candidates: [bearer.name] }
}

const isNameList: Check = value => {
  const fault = scriptFault(value)
  return fault === null ? null : { reason: fault }
}

const isFile: Check = value =>
  isNameable(value) ? null : { reason: 'is not a path of a Markdown file that a row may name' }

const isDocument: Check = (value, place) => {
  const fault = isFile(value, place)
  if (fault !== null || isServable(value, place)) return fault
  return {
    reason:
      'is an index, a generated file, one of the old layout or the file of another Postać, none of which is ' +
      'served; name a document of your own',
  }
}

const isAddress = matches(/^https?:\/\/[^\s/]\S*$/iu, 'an address http(s)://…')

const checks: ReadonlyMap<string, Check> = new Map([
  ['lokacja', isPlace],
  ['drzwi', isDoor],
  ['należy_do', isOwner],
  ['alias', isName],
  ['nazwa_svc', isName],
  ['nick', isName],
  ['generyczne_nazwy', isNameList],
  ['plik', isDocument],
  ['ref', isFile],
  ['url', isAddress],
  ['karta_postaci', isAddress],
  ['ilość', matches(/^-?\d{1,15}$/u, 'a whole number')],
  ['pu_startowe', matches(/^\d{1,9}(?:[.,]\d{1,2})?$/u, 'a number of at most two decimals')],
  ['wymiary', matches(/^[1-9]\d{0,5}x[1-9]\d{0,5}$/u, '<width>x<height> in tiles')],
  ['gameid', matches(/^\d{1,15}$/u, 'an id of digits')],
  ['slug', matches(/^[^\s/\\]+$/u, 'one word without slashes')],
  [
    'chat',
    value =>
      chatReference(value)._tag === 'Unreadable' ? { reason: 'is neither category/channel nor BRAK' } : null,
  ],
])

const valueListFault = (rule: TagRule, value: string): Fault | null => {
  const values: ReadonlyArray<string> | null = rule.tag === 'status' ? statuses : rule.values
  return values === null || values.includes(value) ? null : { reason: `is not one of ${values.join(', ')}` }
}

/** Rejects tags that only the PU batch or adoption writes (FORMATS 1.4). */
const unwritable = ({ writer }: TagRule): Fault | null => {
  if (writer === 'anyone') return null
  return { reason: `is written only by ${writer === 'batch' ? 'the PU batch' : 'adoption'}` }
}

export const refuseValue = (
  field: string,
  reason: string,
  candidates: ReadonlyArray<string> = [],
): RefusalOf<'ValueRefused'> => {
  const told = firstNames([...new Set(candidates)], one => one)
  const advice = candidates.length === 0 ? '' : ` Send one of \`candidates\`.${andMore(told)}`
  return refuse('ValueRefused', `The value of ${field} ${reason}.${advice}`, {
    field,
    candidates: told.names,
  })
}

/** Whether requests may write the tag at all. */
export const checkWritable = (rule: TagRule): Either<RefusalOf<'ValueRefused'>, TagRule> => {
  const fault = unwritable(rule)
  return fault === null ? right(rule) : left(refuseValue(`@${rule.tag}`, fault.reason))
}

/** A value in the form that the row stores, or why the tag does not accept it. */
export const tagValue = (
  rule: TagRule,
  written: string,
  place: ValuePlace,
): Either<RefusalOf<'ValueRefused'>, string> => {
  const value = valueText(written)
  const plain = valueFault(value)
  const fault =
    unwritable(rule) ??
    (plain === null ? null : { reason: plain }) ??
    valueListFault(rule, value) ??
    checks.get(rule.tag)?.(value, place) ??
    null
  return fault === null ? right(value) : left(refuseValue(`@${rule.tag}`, fault.reason, fault.candidates))
}
