import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { candidatesShown, distanceMax, type EntityType, instantOf, withinCharsMax } from '#protocol/atoms.js'
import type {
  BatchQuery,
  NameBatch,
  NameBatchAnswer,
  NameIndexRebuilt,
  NameOptions,
  NameQuery,
  namesRoutes,
  ResolveAnswer,
} from '#protocol/lore/names.js'
import { windowOf } from '#protocol/query.js'
import { bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { QueryOf } from '#protocol/route.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { placeNamed } from '#src/domain/entities/places.js'
import { buildNameIndexInSlices } from '#src/domain/names/name-index.js'
import {
  type NameWish,
  resolvedNameOf,
  resolveWishesInSlices,
  resolveWishInSlices,
  rewritesOf,
} from '#src/domain/names/requests.js'
import {
  countTokensInSlices,
  searchEntitiesInSlices,
  searchPageInSlices,
  searchWindowOf,
  tokenOwnersInSlices,
} from '#src/domain/names/search-entities.js'
import { suggestionsInSlices } from '#src/domain/normalization/suggestions.js'
import { ownerNameOn } from '#src/domain/people/roster.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { type Handlers, inSlices, jsonInSlices } from '#src/http/routing/handler.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type { Clock } from '#src/ports/clock.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { resolveDay } from './admin.js'

/** Names and the blocks that they mean (B 4.1, B 4.3). */
export const namesHandlers: Handlers<typeof namesRoutes, Monotonic> = {
  'resolve.get': ({ snapshot, body, query }) => {
    const wish = wishOf(snapshot, body, '$')
    if (isLeft(wish)) return wish
    return right({ body: inSlices(resolveOne(snapshot, wish.right, query.explain === true)) })
  },
  'resolve.batch.list': async ({ snapshot, body, isCallerThere, run }) => {
    const wishes = await run(batchWishesInSlices(snapshot, body))
    return isLeft(wishes)
      ? wishes
      : right({ body: inSlices(resolveAll(snapshot, wishes.right, isCallerThere)) })
  },
  'nameIndex.lookup.get': async ({ snapshot, path, run }) => {
    const owners = await run(tokenOwnersInSlices(snapshot.entities, path.token))
    return owners === null
      ? left(
          refuse(
            'SpellingNotFound',
            'No block has the text as a name or as one word of it. POST /resolve takes any grammatical form.',
          ),
        )
      : right({ body: owners })
  },
  'nameIndex.rebuild': async ({ snapshot, node, nowMs }) =>
    right({ body: { rebuiltAt: instantOf(nowMs), ...(await shareRebuild(snapshot, node)) } }),
  'entities.search.list': ({ snapshot, query }) => {
    const text = query.q ?? query.name
    return text === undefined
      ? left(refuse('ParameterInvalid', 'Name what to search for in `q`.', { parameter: 'q' }))
      : right({ body: jsonInSlices(search(snapshot, text, query)) })
  },
  'normalization.suggestions.list': ({ snapshot, query, caller }) =>
    right({ body: inSlices(suggestionsInSlices(snapshot, query, windowOf(query), caller.view)) }),
}

type Monotonic = Pick<Clock, 'monotonicMs'>

/** Rebuilds the index of names; a request that comes while a rebuild runs gets the result of that one. */
export const shareRebuild = (snapshot: Snapshot, node: Monotonic): Promise<Rebuilt> => {
  const known = running.get(node)
  if (known !== undefined) return known
  const begun = rebuild(snapshot, node).finally(() => running.delete(node))
  running.set(node, begun)
  return begun
}

const resolveOne = function* (
  snapshot: Snapshot,
  wish: NameWish,
  isExplained: boolean,
): Sliced<ResolveAnswer> {
  const day = wish.activeOn ?? snapshot.day
  const found = yield* resolveWishInSlices(snapshot, wish)
  const answer = resolvedNameOf(found, day)
  return isExplained && answer !== null ? { ...answer, rewrites: rewritesOf(wish.name, found, day) } : answer
}

const resolveAll = function* (
  snapshot: Snapshot,
  wishes: ReadonlyArray<NameWish>,
  isCallerThere: () => boolean,
): Sliced<NameBatchAnswer> {
  const items = yield* resolveWishesInSlices(snapshot, wishes, isCallerThere)
  return { count: items.length, items }
}

const search = function* (
  snapshot: Snapshot,
  text: string,
  query: QueryOf<(typeof namesRoutes)['entities.search.list']>,
): Sliced<Buffer> {
  const all = yield* searchEntitiesInSlices(snapshot, text, query.type ?? null)
  const shown = { day: snapshot.day, ownerOf: ownerNameOn(snapshot) }
  return yield* searchPageInSlices(text, all, searchWindowOf(query), shown)
}

type Rebuilt = Pick<NameIndexRebuilt, 'buildMs' | 'indexStats'>

const rebuild = async ({ entities, language }: Snapshot, { monotonicMs }: Monotonic): Promise<Rebuilt> => {
  const beganMs = monotonicMs()
  // A copy, so that the snapshot keeps its own index, which is equal to this one.
  const copy = { ...entities }
  const { forms } = await runDaemonWork(buildNameIndexInSlices(copy, language.data, null))
  const tokens = await runDaemonWork(countTokensInSlices(copy))
  const stems = forms?.table.words.formCount() ?? 0
  return { buildMs: Math.round(monotonicMs() - beganMs), indexStats: { tokens, stems } }
}

/** The rebuild that runs now, by node. */
const running = new WeakMap<Monotonic, Promise<Rebuilt>>()

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
const wishOf = (snapshot: Snapshot, query: NameQuery, at: string): Wished<NameWish> => {
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
const batchWishesInSlices = function* (
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
