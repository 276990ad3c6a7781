import type { BatchResult } from '#protocol/names.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { batchResultOf } from './answers.js'
import { type NameWish, type NameWorld, resolveWishInSlices } from './name-wish.js'

/** What makes two wishes equal. */
const makeWishKeys = (): ((wish: NameWish) => string) => {
  const places = new Map<Entity, number>()
  return ({ name, type, within, activeOn, noFuzzy, maxDistance }) => {
    const place = within === null ? -1 : (places.get(within) ?? places.size)
    if (within !== null) places.set(within, place)
    return JSON.stringify([name, type, place, activeOn, noFuzzy, maxDistance])
  }
}

/**
 * Resolves many names in order, equal wishes once. Yields between them. Ends early, with the answers so far, once
 * `isWanted` returns false.
 */
export const resolveWishesInSlices = function* (
  world: NameWorld,
  wishes: ReadonlyArray<NameWish>,
  isWanted: () => boolean,
): Sliced<ReadonlyArray<BatchResult>> {
  const keyOf = makeWishKeys()
  const known = new Map<string, BatchResult>()
  const results: Array<BatchResult> = []
  for (const wish of wishes) {
    if (!isWanted()) break
    const key = keyOf(wish)
    const result =
      known.get(key) ??
      batchResultOf(wish.name, yield* resolveWishInSlices(world, wish), wish.activeOn ?? world.day)
    known.set(key, result)
    results.push(result)
    yield
  }
  return results
}
