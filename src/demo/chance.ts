/**
 * Seeded random numbers: the same seed gives the same draws. `fork` starts an independent sequence, so that a
 * part of the world does not change when another part draws more.
 */
export interface Chance {
  /** In [0, 1). */
  readonly share: () => number
  /** A whole number from `low` to `high`, both inclusive. */
  readonly whole: (low: number, high: number) => number
  readonly truth: (probability: number) => boolean
  readonly pick: <A>(from: ReadonlyArray<A>) => A
  /** `count` different members, in random order; all of them when there are fewer. */
  readonly some: <A>(from: ReadonlyArray<A>, count: number) => ReadonlyArray<A>
  readonly fork: (label: string) => Chance
}

/**
 * FNV-1a over UTF-16 units with a final avalanche, so that labels that differ in one letter give very
 * different states.
 */
const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Mulberry32 over the hash of the seed. */
export const chanceOf = (seed: string): Chance => {
  let state = hashText(seed)
  const share = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000
  }
  const whole = (low: number, high: number): number => low + Math.floor(share() * (high - low + 1))
  const pick = <A>(from: ReadonlyArray<A>): A => {
    const found = from[whole(0, from.length - 1)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }
  const some = <A>(from: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
    const taken = new Map<number, A>()
    const wanted = Math.min(count, from.length)
    while (taken.size < wanted) {
      const at = whole(0, from.length - 1)
      const found = from[at]
      if (found !== undefined) taken.set(at, found)
      else throw new Error('a list with a hole')
    }
    return [...taken.values()]
  }
  return {
    share,
    whole,
    truth: probability => share() < probability,
    pick,
    some,
    fork: label => chanceOf(`${seed}/${label}`),
  }
}
