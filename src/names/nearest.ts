import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { NameIndex } from './resolution.js'

/** Letters to add, drop or exchange, given up past `max`: then `max` + 1. */
const distance = (one: string, other: string, max: number): number => {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const same = one.charCodeAt(at - 1) === other.charCodeAt(to - 1) ? 0 : 1
      next.push(Math.min((next[to - 1] ?? 0) + 1, (row[to] ?? 0) + 1, (row[to - 1] ?? 0) + same))
    }
    if (Math.min(...next) > max) return max + 1
    row = next
  }
  return row[other.length] ?? max + 1
}

const shownMax = 3
const comparedCharsMax = 100

/** A word that begins the other name is as near as one letter. */
const farness = (asked: NameKey, key: NameKey, max: number): number =>
  key.startsWith(`${asked} `) || asked.startsWith(`${key} `) ? 1 : distance(asked, key, max)

/** Headings of a type whose heading or alias is nearest to a name that nobody answers to, the nearest first. */
export const nearestNames = (names: NameIndex, text: string, type: EntityType): ReadonlyArray<string> => {
  const asked = nameKey(text)
  if (asked.length > comparedCharsMax) return []
  const max = Math.max(2, Math.floor(asked.length / 3))
  const found = new Map<string, number>()
  for (const index of [names.exact, names.alias])
    for (const [key, owners] of index) {
      const far = farness(asked, key, max)
      if (far > max) continue
      for (const owner of owners)
        if (owner.type === type) found.set(owner.name, Math.min(far, found.get(owner.name) ?? far))
    }
  return [...found]
    .sort(([left, near], [right, far]) => near - far || (left < right ? -1 : 1))
    .slice(0, shownMax)
    .map(([name]) => name)
}
