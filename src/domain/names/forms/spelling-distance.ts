/** The letters of a text as bits. Letters that share a bit can only make texts look more alike. */
export const letterMask = (text: string): number => {
  let mask = 0
  for (let at = 0; at < text.length; at += 1) mask |= 1 << (text.charCodeAt(at) & 31)
  return mask
}

const ones = (bits: number): number => {
  let [left, count] = [bits, 0]
  for (; left !== 0; count += 1) left &= left - 1
  return count
}

/** A lower bound of the distance of two texts: letters of one that the other does not have. */
export const countUnshared = (one: number, other: number): number =>
  Math.max(ones(one & ~other), ones(other & ~one))

/**
 * The number of letters to add, drop or exchange to turn one text into the other; `max` + 1 when it is more
 * than `max`.
 */
export const spellingDistance = (one: string, other: string, max: number): number => {
  if (Math.abs(one.length - other.length) > max) return max + 1
  const row = Uint16Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at += 1) {
    let [diagonal, least] = [at - 1, at]
    row[0] = at
    for (let to = 1; to <= other.length; to += 1) {
      const [above, left] = [row[to] ?? 0, row[to - 1] ?? 0]
      const same = one.charCodeAt(at - 1) === other.charCodeAt(to - 1) ? 0 : 1
      const cost = Math.min(above + 1, left + 1, diagonal + same)
      row[to] = cost
      diagonal = above
      if (cost < least) least = cost
    }
    if (least > max) return max + 1
  }
  return Math.min(row[other.length] ?? 0, max + 1)
}

/**
 * Whether adding, dropping or exchanging one letter, or swapping two adjacent ones, turns one text into the
 * other.
 */
export const isWithinOneEdit = (one: string, other: string): boolean => {
  if (Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const [rest, otherRest] = [one.slice(at), other.slice(at)]
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2))
  )
}
