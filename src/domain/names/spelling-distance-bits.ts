import { spellingDistance } from './spelling-distance.js'

const charsMax = 32

/**
 * The distance from one text to others, at least `max` + 1 where it is more than `max`: a column of its table is two numbers of
 * bits (Myers 1999), so a comparison costs a few steps for each character of the other text. Longer texts than 32
 * characters are compared cell by cell.
 */
export const makeDistanceFrom = (text: string): ((other: string, max: number) => number) => {
  const length = text.length
  if (length === 0) return other => other.length
  if (length > charsMax) return (other, max) => spellingDistance(text, other, max)
  const places = new Map<number, number>()
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at)
    places.set(code, (places.get(code) ?? 0) | (1 << at))
  }
  const last = 1 << (length - 1)
  return other => {
    let [more, less, distance] = [-1, 0, length]
    for (let at = 0; at < other.length; at += 1) {
      const match = places.get(other.charCodeAt(at)) ?? 0
      const down = match | less
      const across = (((match & more) + more) ^ more) | match
      let right = less | ~(across | more)
      const left = more & across
      if ((right & last) !== 0) distance += 1
      else if ((left & last) !== 0) distance -= 1
      right = (right << 1) | 1
      more = (left << 1) | ~(down | right)
      less = right & down
    }
    return distance
  }
}
