import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import { type Day, type EntityType, type NameKey, nameKey, nfc, statuses } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { leafOf } from '#src/domain/entities/below.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { parentOf, placeNamed, placesMeant } from '#src/domain/entities/places.js'
import { aliasKeys } from '#src/domain/entities/reading.js'
import { isNameable, isServable } from '#src/domain/entities/ref-target.js'
import type { RangeBound } from '#src/domain/lore/changes.js'
import { parseBound } from '#src/domain/lore/rows/days.js'
import { valueFault, valueText } from '#src/domain/lore/rows/rows.js'
import { type TagRule, tagRule, tagsOfType, universalTags } from '#src/domain/lore/tag-schema.js'
import { namesOfEntity } from '#src/domain/names/look-alike.js'
import { andMore, firstNames } from '#src/domain/names/name-index.js'
import { chatReference, type People, personNamed } from '#src/domain/people/roster.js'
import { quoteBlock } from '../answers/quoted-lore.js'
import { aType, bearerOf, nameFault, scriptFault } from './taken.js'

/** The block that gets a value, by name and type; `entity` is null for a new block. */
export interface ValuePlace {
  readonly name: string
  readonly type: EntityType
  readonly entity: Entity | null
  readonly entities: Entities
  readonly people: People
  readonly day: Day
}

/** Why no place is given a name that is the leaf of several. */
export const sharedLeafReason = 'is the last name of several places; add the place above it in brackets'

/**
 * Headings of the places that share a leaf, when a place is to get that leaf as its heading or another
 * spelling. Empty when fewer than two share it, or when `entity` is already a place of that name (A 2.5).
 */
export const placesSharingLeaf = (
  entities: Entities,
  name: string,
  entity: Entity | null,
): ReadonlyArray<string> => {
  if (bears(entity, nameKey(name))) return []
  const found = placesMeant(entities, name)
  return found.length > 1 ? found.map(place => place.name) : []
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

/** A tag as a body names it, with or without the at sign, in the form that the schema uses. */
export const tagName = (written: string): string => nfc(written).trim().replace(/^@/u, '').toLowerCase()

/** The rule of a tag on a type; the refusal lists the tags that the type accepts. */
export const ruleOf = (written: string, type: EntityType): Either<RefusalOf<'TagUnknown'>, TagRule> => {
  const tag = tagName(written)
  const rule = tagRule(tag, type)
  if (rule !== null) return right(rule)
  const allowed = [...universalTags, ...tagsOfType(type)].map(one => `@${one}`)
  return left(
    refuse('TagUnknown', `${aType(type)} does not take this tag. Use one of \`allowed\`.`, {
      tag: `@${tag.slice(0, 80)}`,
      allowed,
    }),
  )
}

/** The rule of a tag on the type of a block. A refusal names the type only to readers of the block. */
export const ruleOfBlock = (written: string, entity: Entity): Either<RefusalOf<'TagUnknown'>, TagRule> =>
  mapLeft((refusal: RefusalOf<'TagUnknown'>) =>
    quoteBlock(
      refusal,
      refuse('TagUnknown', 'The type of the block does not take this tag. GET /schema lists the tags.', {
        tag: refusal.tag,
        allowed: universalTags.map(one => `@${one}`),
      }),
      entity,
    ),
  )(ruleOf(written, entity.type))

/** Parses the days of a change. Refuses days for a tag that is never dated. */
export const daysOf = (
  rule: TagRule,
  written: { readonly from?: string | null; readonly to?: string | null },
): Either<RefusalOf<'ValueRefused'>, Days> => {
  const [from, to] = [boundOf(written.from, 'from'), boundOf(written.to, 'to')]
  if (isLeft(from)) return from
  if (isLeft(to)) return to
  const days = { from: from.right, to: to.right ?? null }
  const said = [written.from, written.to].some(bounds => typeof bounds === 'string')
  if (said && !rule.dated) return left(refuseValue(`@${rule.tag}`, 'has no dates; leave out `from` and `to`'))
  const start = days.from?.day ?? null
  return start !== null && days.to !== null && start > days.to.day
    ? left(refuseValue('to', 'is before `from`'))
    : right(days)
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

/** A tree deeper than this is a cycle or a mistake. */
const maxDepth = 64

/** Headings of the places that a value may mean, when it means several; empty otherwise. */
const ambiguousPlaces = (entities: Entities, value: string, day: Day): ReadonlyArray<string> =>
  placeNamed(entities, value, day) === null ? placesMeant(entities, value).map(place => place.name) : []

const bears = (entity: Entity | null, key: NameKey): boolean =>
  entity !== null && entity.type === 'Lokacja' && (entity.key === key || aliasKeys(entity).includes(key))

const nameMeant = (text: string): NameKey =>
  nameKey(text.split('/').findLast(part => part.trim() !== '') ?? '')

/**
 * Whether a new place would lie in itself: `value` is its own name, or the chain of places above `value` ends
 * in that name while no block has it yet.
 */
const wouldCloseCircle = (entities: Entities, name: string, value: string, day: Day): boolean => {
  const keys: ReadonlySet<NameKey> = new Set([nameKey(name), nameKey(leafOf(name).leaf)])
  let text: string | null = value
  for (let depth = 0; depth < maxDepth && text !== null; depth += 1) {
    const place: Entity | null = placeNamed(entities, text, day)
    if (place === null) return keys.has(nameMeant(text))
    if (place.type !== 'Lokacja') return nameMeant(text) === nameKey(name)
    text = parentOf(entities, place, day)?.text ?? null
  }
  return false
}

/** Whether a place would lie in itself with `value` as its parent. */
const wouldContainItself = (entities: Entities, place: Entity, value: string, day: Day): boolean => {
  let at = placeNamed(entities, value, day)
  for (let depth = 0; depth < maxDepth && at !== null; depth += 1) {
    if (at === place) return true
    if (at.type !== 'Lokacja') return false
    at = parentOf(entities, at, day)?.place ?? null
  }
  return false
}

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

/** The days of a change as a body states them. */
interface Days {
  readonly from: RangeBound | null | undefined
  readonly to: RangeBound | null
}

const boundOf = (
  written: string | null | undefined,
  side: 'from' | 'to',
): Either<RefusalOf<'ValueRefused'>, RangeBound | null | undefined> => {
  if (written === null || written === undefined) return right(written)
  const [text, day] = [written.trim(), parseBound(written, side)]
  return day === null ? left(refuseValue(side, 'is not YYYY, YYYY-MM or YYYY-MM-DD')) : right({ text, day })
}
