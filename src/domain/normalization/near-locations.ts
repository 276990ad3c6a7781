import { countUnshared, letterMask, spellingDistance } from '#src/domain/names/spelling-distance.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import type { GatheredLocation } from './gather-locations.js'

/** Another location that differs by one or two letters. */
export interface NearLocation {
  readonly location: GatheredLocation
  readonly distance: 1 | 2
}

const distanceMax = 2
const charsMin = 3
/** Longer texts are not compared. */
const charsMax = 60
const nearMax = 20

interface Compared {
  readonly location: GatheredLocation
  readonly mask: number
  readonly near: Array<NearLocation>
}

const isComparable = ({ key }: GatheredLocation): boolean =>
  key.length >= charsMin && key.length <= charsMax && !key.includes('/')

const compareTwo = (one: Compared, other: Compared): void => {
  const [left, right] = [one.location.key, other.location.key]
  if (Math.abs(left.length - right.length) > distanceMax) return
  if (countUnshared(one.mask, other.mask) > distanceMax) return
  const distance = spellingDistance(left, right, distanceMax)
  if (distance !== 1 && distance !== distanceMax) return
  if (one.near.length < nearMax) one.near.push({ location: other.location, distance })
  if (other.near.length < nearMax) other.near.push({ location: one.location, distance })
}

/**
 * For each location the others that differ by at most two letters. Compares every two of the given ones, so the
 * caller limits their number. Yields after each.
 */
export const nearLocationsInSlices = function* (
  locations: ReadonlyArray<GatheredLocation>,
): Sliced<ReadonlyMap<GatheredLocation, ReadonlyArray<NearLocation>>> {
  const compared = locations
    .filter(isComparable)
    .map((location): Compared => ({ location, mask: letterMask(location.key), near: [] }))
  for (const [at, one] of compared.entries()) {
    for (let to = at + 1; to < compared.length; to += 1) {
      const other = compared[to]
      if (other !== undefined) compareTwo(one, other)
    }
    yield
  }
  return new Map(compared.map(({ location, near }) => [location, near]))
}
