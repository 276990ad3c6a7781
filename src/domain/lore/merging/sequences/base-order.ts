import type { Pairing } from './alignment.js'

const isRising = (pairing: Pairing): boolean => {
  let highest = -1
  return pairing.every(partner => {
    const rises = partner < 0 || partner > highest
    highest = Math.max(highest, partner)
    return rises
  })
}

/**
 * The base units in the order of a side; a unit that the side removed follows the unit before it. Null when
 * the order did not change.
 */
const reorderPairing = (pairing: Pairing, sideLength: number): ReadonlyArray<number> | null => {
  if (isRising(pairing)) return null
  const placeOf = new Int32Array(sideLength).fill(-1)
  pairing.forEach((partner, place) => {
    if (partner >= 0) placeOf[partner] = place
  })
  const order: Array<number> = []
  const takeRemovedFrom = (first: number): void => {
    for (let place = first; pairing[place] === -1; place += 1) order.push(place)
  }
  takeRemovedFrom(0)
  for (const place of placeOf) {
    if (place < 0) continue
    order.push(place)
    takeRemovedFrom(place + 1)
  }
  return order
}

const isEqual = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean =>
  one.length === other.length && one.every((place, at) => place === other[at])

/**
 * The order of the base units in a merge: that of the side that moved some, or that of the base when both
 * sides moved some differently.
 */
export const orderOf = (
  ours: { readonly pairing: Pairing; readonly length: number },
  theirs: { readonly pairing: Pairing; readonly length: number },
): ReadonlyArray<number> => {
  const mine = reorderPairing(ours.pairing, ours.length)
  const other = reorderPairing(theirs.pairing, theirs.length)
  const plain = ours.pairing.map((_, place) => place)
  if (mine === null) return other ?? plain
  return other === null || isEqual(other, mine) ? mine : plain
}
