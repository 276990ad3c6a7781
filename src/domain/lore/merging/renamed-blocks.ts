import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { MergeBlock } from './merge-block.js'
import { type Pairing, stretches } from './sequences/alignment.js'

/**
 * How many units one search for renamed blocks looks up. A rename that is not found by then counts as a
 * removal and an addition.
 */
export const lookupsMax = 2_000_000

const lookupsPerSlice = 20_000

/** Blocks of a side that have no partner yet, by the stretch that contains them. */
const freeByStretch = (
  pairing: Pairing,
  side: ReadonlyArray<MergeBlock>,
  stretch: ReadonlyArray<number>,
): ReadonlyMap<number, Set<number>> => {
  const taken = new Set(pairing)
  const free = new Map<number, Set<number>>()
  side.forEach((_, place) => {
    if (taken.has(place)) return
    const key = stretch[place] ?? -1
    const places = free.get(key) ?? new Set()
    free.set(key, places.add(place))
  })
  return free
}

/**
 * Pairs a block with a block of another heading in the same stretch that kept most of its lines. Looks up at
 * most `lookupsMax` units.
 */
export const pairRenamedBlocks = function* (
  pairing: Pairing,
  base: ReadonlyArray<MergeBlock>,
  side: ReadonlyArray<MergeBlock>,
): Sliced<Pairing> {
  if (!pairing.includes(-1)) return pairing
  const places = stretches(pairing, side.length)
  const free = freeByStretch(pairing, side, places.side)
  const paired = [...pairing]
  let [lookups, rested] = [0, 0]
  for (const [at, block] of base.entries()) {
    const candidates =
      (pairing[at] ?? -1) >= 0 || block.level < 3 ? undefined : free.get(places.base[at] ?? -1)
    if (candidates === undefined || candidates.size === 0) continue
    const texts = new Set(block.units.map(unit => unit.text))
    for (const place of candidates) {
      const other = side[place]
      if (other === undefined || lookups > lookupsMax) break
      lookups += 1
      if (lookups - rested > lookupsPerSlice) {
        rested = lookups
        yield
      }
      const needed = (block.units.length + other.units.length) / 3
      if (block.level !== other.level || needed >= other.units.length) continue
      lookups += other.units.length
      const shared = other.units.filter(unit => unit.kind !== 'blank' && texts.has(unit.text)).length
      if (shared <= needed || shared < 2) continue
      paired[at] = place
      candidates.delete(place)
      break
    }
  }
  return paired
}
