import { apS, bind, chain, Do, type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { entityTypes, nameKey } from '#protocol/atoms.js'
import type { SessionMetadata } from '#protocol/lore/session-writes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { denominationOf } from '#src/domain/currency/denomination.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { splitRange } from '#src/domain/lore/rows/days.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { blockHead } from '#src/domain/lore/session-header.js'
import { isKnownTag, tagKeys } from '#src/domain/lore/tag-schema.js'
import { resolveUpToForms } from '#src/domain/names/resolve.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { ruleOfBlock, tagValue } from '../entities/tags.js'
import { scriptFault } from '../entities/taken.js'
import type { SessionBlocks } from './render.js'
import { eachValue, nameLine, oneLine, rejectValue, type Valued } from './values.js'

/** The blocks that a request states. Blocks that it leaves out or gives as null are absent (FORMATS 4.9). */
export const readMetadataBlocks = (metadata: SessionMetadata): Valued<Partial<SessionBlocks>> => {
  const all = [
    readStated('locations', metadata.locations, 'locations', lines),
    readStated('logs', metadata.logs, 'logs', lines),
    readStated('pu', metadata.pu, 'points', points),
    readStated('participants', metadata.participants, 'participants', lines),
    readStated('changes', metadata.changes, 'changes', changes),
    readStated('transfers', metadata.transfers, 'transfers', transfers),
    readStated('intel', metadata.intel, 'intel', intel),
    readStated('preserved', metadata.preserved, 'preserved', readPreserved),
  ]
  let blocks: Partial<SessionBlocks> = {}
  for (const one of all) {
    if (isLeft(one)) return one
    blocks = { ...blocks, ...one.right }
  }
  return right(blocks)
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

type Given<F extends keyof SessionMetadata> = NonNullable<SessionMetadata[F]>

const unique = (items: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(items)]

const lines = (path: string, items: ReadonlyArray<string>): Valued<ReadonlyArray<string>> =>
  pipe(eachValue(path, items, oneLine), map(unique))

/** PU as text: digits and a dot, as few as needed (FORMATS 4.9). */
const decimal = (path: string, value: number | null): Valued<string | null> => {
  if (value === null) return right(null)
  const text = String(value)
  return /^\d{1,12}(?:\.\d{1,12})?$/.test(text)
    ? right(text)
    : rejectValue(
        path,
        'PU must be a number from 0 with at most 12 digits on either side of the point, or null.',
      )
}

const points = (path: string, items: Given<'pu'>): Valued<SessionBlocks['points']> =>
  pipe(
    eachValue(path, items, (at, item) =>
      pipe(
        Do,
        apS('character', nameLine(`${at}.character`, item.character)),
        bind('value', () => decimal(`${at}.value`, item.value)),
      ),
    ),
    chain(all => {
      const keys = all.map(one => nameKey(one.character))
      const twice = keys.findIndex((key, at) => keys.indexOf(key) < at)
      return twice < 0
        ? right(all)
        : rejectValue(
            `${path}[${twice}].character`,
            'A character has PU twice. Send PU once for each character.',
          )
    }),
  )

const tagName = (path: string, text: string): Valued<string> =>
  pipe(
    oneLine(path, text),
    map(tag => (tag.startsWith('@') ? tag.slice(1) : tag).toLowerCase()),
    chain(tag =>
      /^[\p{L}\p{N}_]{1,40}$/u.test(tag) ? right(tag) : rejectValue(path, 'Send the name of a tag.'),
    ),
  )

const changes = (path: string, items: Given<'changes'>): Valued<SessionBlocks['changes']> =>
  eachValue(path, items, (at, item) =>
    item.tags.length === 0
      ? rejectValue(`${at}.tags`, 'Send at least one tag: an entity without tags is not read.')
      : pipe(
          Do,
          apS('entity', nameLine(`${at}.entity`, item.entity)),
          bind('tags', () =>
            eachValue(`${at}.tags`, item.tags, (below, one) =>
              pipe(
                Do,
                apS('tag', tagName(`${below}.tag`, one.tag)),
                bind('value', () => oneLine(`${below}.value`, one.value)),
              ),
            ),
          ),
        ),
  )

const money = (path: string, text: string): Valued<string> =>
  pipe(
    oneLine(path, text),
    chain(name =>
      denominationOf(name) === null
        ? rejectValue(path, 'Send the name of a denomination, as GET /schema lists them, in any case form.')
        : right(name),
    ),
  )

const transfers = (path: string, items: Given<'transfers'>): Valued<SessionBlocks['transfers']> =>
  eachValue(path, items, (at, { amount, denomination, source, destination }) =>
    Number.isSafeInteger(amount) && amount > 0
      ? pipe(
          Do,
          apS('denomination', money(`${at}.denomination`, denomination)),
          bind('source', () => nameLine(`${at}.source`, source)),
          bind('destination', () => nameLine(`${at}.destination`, destination)),
          map(said => ({ amount, ...said })),
        )
      : rejectValue(`${at}.amount`, 'Send a whole number above 0.'),
  )

const intel = (path: string, items: Given<'intel'>): Valued<SessionBlocks['intel']> =>
  eachValue(path, items, (at, item) =>
    pipe(
      Do,
      apS('target', nameLine(`${at}.target`, item.target)),
      bind('message', () => oneLine(`${at}.message`, item.message)),
    ),
  )

const readPreserved = (path: string, items: Given<'preserved'>): Valued<SessionBlocks['preserved']> =>
  eachValue(path, items, (at, { name, items: below }) =>
    blockHead(`${name}:`)?.kind === 'Preserved' && below.length > 0
      ? pipe(
          eachValue(`${at}.items`, below, oneLine),
          map(said => ({ name, text: [`- ${name}:`, ...said.map(one => `    - ${one}`)].join('\n') })),
        )
      : rejectValue(at, 'Send Objaśnienia, Efekty, Komunikaty, Straty or Nagrody, and at least one item.'),
  )

/** A block of the request as a part of `SessionBlocks`; empty when it is absent or null. */
const readStated = <A, F extends keyof SessionBlocks>(
  name: keyof SessionMetadata,
  items: A | null | undefined,
  field: F,
  read: (path: string, items: A) => Valued<SessionBlocks[F]>,
): Valued<Partial<SessionBlocks>> =>
  items === undefined || items === null
    ? right({})
    : pipe(
        read(`metadata.${name}`, items),
        map((made): Partial<SessionBlocks> => ({ [field]: made })),
      )

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
