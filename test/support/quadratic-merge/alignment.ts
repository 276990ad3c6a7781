/** For each unit of the base the index of its partner on a side, or -1. No two units share a partner. */
export type QuadraticPairing = ReadonlyArray<number>

const cellsMax = 4_000_000

/** A longest common subsequence of the two lists, as pairs of indexes. Quadratic. */
const longest = (
  base: ReadonlyArray<string>,
  side: ReadonlyArray<string>,
): ReadonlyArray<[number, number]> => {
  const width = side.length + 1
  const lengths = new Uint32Array((base.length + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = base.length - 1; row >= 0; row -= 1)
    for (let column = side.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        base[row] === side[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const pairs: Array<[number, number]> = []
  for (let row = 0, column = 0; row < base.length && column < side.length; )
    if (base[row] === side[column]) pairs.push([row++, column++])
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1
    else column += 1
  return pairs
}

const placesOf = (units: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const places = new Map<string, Array<number>>()
  units.forEach((unit, place) => {
    const known = places.get(unit)
    if (known === undefined) places.set(unit, [place])
    else known.push(place)
  })
  return places
}

/**
 * Units that both lists contain once, as far as they are in the same order: for texts too long for the full
 * table.
 */
const unique = (
  base: ReadonlyArray<string>,
  side: ReadonlyArray<string>,
): ReadonlyArray<[number, number]> => {
  const there = placesOf(side)
  const pairs: Array<[number, number]> = []
  for (const [unit, [place, second]] of placesOf(base)) {
    const [partner, other] = there.get(unit) ?? []
    if (place === undefined || partner === undefined || second !== undefined || other !== undefined) continue
    if (partner > (pairs.at(-1)?.[1] ?? -1)) pairs.push([place, partner])
  }
  return pairs
}

/** Pairs equal units of two lists that are in the same order: the lines that a diff leaves unchanged. */
export const alignQuadratically = (
  base: ReadonlyArray<string>,
  side: ReadonlyArray<string>,
): QuadraticPairing => {
  const pairing = base.map(() => -1)
  let start = 0
  while (start < base.length && start < side.length && base[start] === side[start]) {
    pairing[start] = start
    start += 1
  }
  let end = 0
  while (
    end < base.length - start &&
    end < side.length - start &&
    base[base.length - 1 - end] === side[side.length - 1 - end]
  ) {
    pairing[base.length - 1 - end] = side.length - 1 - end
    end += 1
  }
  const inner = [base.slice(start, base.length - end), side.slice(start, side.length - end)] as const
  const find = inner[0].length * inner[1].length > cellsMax ? unique : longest
  for (const [place, partner] of find(...inner)) pairing[start + place] = start + partner
  return pairing
}

/**
 * Adds partners for units that have none: `match` returns what must be equal, null where a unit cannot be
 * paired this way.
 */
export const pairByQuadratically = <U>(
  pairing: QuadraticPairing,
  base: ReadonlyArray<U>,
  side: ReadonlyArray<U>,
  match: (unit: U) => string | null,
): QuadraticPairing => {
  const taken = new Set(pairing)
  const free = new Map<string, Array<number>>()
  side.forEach((unit, place) => {
    const key = taken.has(place) ? null : match(unit)
    if (key !== null) free.set(key, [...(free.get(key) ?? []), place])
  })
  return pairing.map((partner, place) => {
    const unit = base[place]
    const key = partner >= 0 || unit === undefined ? null : match(unit)
    return key === null ? partner : (free.get(key)?.shift() ?? -1)
  })
}

/** Names the stretch between two partners that contains an index of the base, or of the side. */
export const quadraticStretchesOf = (
  pairing: QuadraticPairing,
  sideLength: number,
): { readonly base: ReadonlyArray<number>; readonly side: ReadonlyArray<number> } => {
  const side = new Array<number>(sideLength).fill(-1)
  const base: Array<number> = []
  let last = -1
  let highest = -1
  pairing.forEach((partner, place) => {
    if (partner > highest) {
      last = place
      highest = partner
      side[partner] = place
    }
    base.push(last)
  })
  let stretch = -1
  return {
    base,
    side: side.map(own => {
      if (own >= 0) stretch = own
      return stretch
    }),
  }
}
