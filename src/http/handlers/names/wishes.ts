import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { candidatesShown, distanceMax, type EntityType, withinCharsMax } from '#protocol/atoms.js'
import type { BatchQuery, NameBatch, NameOptions, NameQuery } from '#protocol/names.js'
import { bodyInvalid, type RefusalOf } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { placeNamed } from '#src/domain/entities/places.js'
import type { NameWish } from '#src/domain/names/requests.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { resolveDay } from '#src/http/handlers/settings.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

type Wished<A> = Either<RefusalOf<'BodyInvalid'>, A>

const invalid = (path: string, expected: string, detail: string): Wished<never> =>
  left(bodyInvalid(detail, { path, expected }))

/** The path of a field as a sentence shows it: without the sign of the root. */
const pathInSentence = (path: string): string => path.slice('$.'.length)

const typeOfWish = ({ typ, type }: NameOptions, at: string): Wished<EntityType | null> => {
  if (typ === undefined || type === undefined || typ === type) return right(typ ?? type ?? null)
  const path = `${at}.type`
  return invalid(
    path,
    `${typ}, as \`typ\``,
    `\`${pathInSentence(path)}\` and \`typ\` differ. Send one of them.`,
  )
}

const placeOfWish = (
  { entities }: Snapshot,
  { within }: NameOptions,
  day: NameWish['activeOn'],
  today: Snapshot['day'],
  at: string,
): Wished<Entity | null> => {
  if (within === undefined) return right(null)
  const place = within.length > withinCharsMax ? null : placeNamed(entities, within, day ?? today)
  if (place !== null) return right(place)
  const path = `${at}.within`
  return invalid(
    path,
    'the heading, alias or path of one Lokacja',
    `\`${pathInSentence(path)}\` names no Lokacja, or several. GET /locations lists them.`,
  )
}

/** What a query asks for; refuses a `within` that names no place. `at` is the path of the query in the body. */
export const wishOf = (snapshot: Snapshot, query: NameQuery, at: string): Wished<NameWish> => {
  const activeOn = query.activeOn === undefined ? null : resolveDay(snapshot, query.activeOn)
  const type = typeOfWish(query, at)
  if (isLeft(type)) return type
  const within = placeOfWish(snapshot, query, activeOn, snapshot.day, at)
  if (isLeft(within)) return within
  return right({
    name: query.name,
    type: type.right,
    within: within.right,
    activeOn,
    noFuzzy: query.noFuzzy ?? false,
    topN: query.topN ?? candidatesShown,
    maxDistance: query.maxDistance ?? distanceMax,
  })
}

/** A query of a batch with the options beside the list, which its own override. */
const wholeQuery = (options: NameOptions, query: BatchQuery): NameQuery => {
  if (typeof query === 'string') return { ...options, name: query }
  const { typ, type, ...others } = options
  const isTyped = query.typ !== undefined || query.type !== undefined
  return {
    ...others,
    ...(isTyped || typ === undefined ? {} : { typ }),
    ...(isTyped || type === undefined ? {} : { type }),
    ...query,
  }
}

/** The wishes of a batch in order. Yields every few queries, because each place is looked up. */
export const batchWishesInSlices = function* (
  snapshot: Snapshot,
  { queries, ...options }: NameBatch,
): Sliced<Wished<ReadonlyArray<NameWish>>> {
  const own = wishOf(snapshot, { ...options, name: '' }, '$')
  if (isLeft(own)) return own
  const wishes: Array<NameWish> = []
  for (const [at, query] of queries.entries()) {
    const wish =
      typeof query === 'string'
        ? right({ ...own.right, name: query })
        : wishOf(snapshot, wholeQuery(options, query), `$.queries[${at}]`)
    if (isLeft(wish)) return wish
    wishes.push(wish.right)
    if (typeof query !== 'string') yield
  }
  return right(wishes)
}
