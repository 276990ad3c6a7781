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

/** How far a comparison has come on each diagonal of its table; one comparison runs at a time. */
let reached = new Int32Array(64)

/**
 * The number of letters to add, drop or exchange to turn one text into the other; `max` + 1 when it is more than `max`.
 * Follows each diagonal of the table as far as the letters are the same, so equal parts cost one step for each letter
 * (Ukkonen 1985).
 */
export const spellingDistance = (one: string, other: string, max: number): number => {
  const last = other.length - one.length
  if (last > max || -last > max) return max + 1
  let [end, otherEnd, start] = [one.length, other.length, 0]
  while (start < end && start < otherEnd && one.charCodeAt(start) === other.charCodeAt(start)) start += 1
  while (end > start && otherEnd > start && one.charCodeAt(end - 1) === other.charCodeAt(otherEnd - 1)) {
    end -= 1
    otherEnd -= 1
  }
  if (end === start || otherEnd === start) return Math.abs(last)
  const middle = max + 1
  if (reached.length <= 2 * middle) reached = new Int32Array(2 * middle + 1)
  for (let at = 0; at <= 2 * middle; at += 1) reached[at] = start - 1
  for (let edits = 0; edits <= max; edits += 1) {
    const from = Math.max(-edits, last - max + edits)
    const to = Math.min(edits, last + max - edits)
    // What the last round reached on the diagonal before: this round overwrites it.
    let before = reached[middle + from - 1] ?? 0
    for (let diagonal = from; diagonal <= to; diagonal += 1) {
      const here = reached[middle + diagonal] ?? 0
      const after = reached[middle + diagonal + 1] ?? 0
      let at = Math.min(Math.max(here + 1, after + 1, edits === 0 ? start : before), end, otherEnd - diagonal)
      while (at < end && at + diagonal < otherEnd && one.charCodeAt(at) === other.charCodeAt(at + diagonal))
        at += 1
      if (at === end && diagonal === last) return edits
      before = here
      reached[middle + diagonal] = at
    }
  }
  return max + 1
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
