import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { NameBatchAnswer, namesRoutes, ResolveAnswer } from '#protocol/names.js'
import { windowOf } from '#protocol/query.js'
import { refuse } from '#protocol/refusal.js'
import type { QueryOf } from '#protocol/route.js'
import {
  type NameWish,
  resolvedNameOf,
  resolveWishesInSlices,
  resolveWishInSlices,
  rewritesOf,
} from '#src/domain/names/requests.js'
import {
  searchEntitiesInSlices,
  searchPageInSlices,
  searchWindowOf,
  tokenOwnersInSlices,
} from '#src/domain/names/search-entities.js'
import { suggestionsInSlices } from '#src/domain/normalization/suggestions.js'
import { ownerNameOn } from '#src/domain/people/roster.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { type Handlers, inSlices, jsonInSlices } from '#src/http/routing/handler.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { type NamesDeps, shareRebuild } from './share-rebuild.js'
import { batchWishesInSlices, wishOf } from './wishes.js'

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

/** Names and the blocks that they mean (B 4.1, B 4.3). */
export const namesHandlers: Handlers<typeof namesRoutes, NamesDeps> = {
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
