import { distanceMax, type NameKey } from '#protocol/atoms.js'
import { hashSlots, numberList, words32 } from './word-table.js'

/** A spelling near a text. */
export interface NearSpelling {
  readonly key: NameKey
  readonly distance: number
}

/** Spellings by their parts, so that those near a text are found without a comparison with each of the others. */
export interface NearSpellings {
  readonly add: (key: NameKey) => void
  /**
   * Every spelling that is at most `max` letters away, at most `distanceMax`, each once and in no order. A number is a
   * moment to pause: so many parts of spellings were looked at since the last.
   */
  readonly near: (text: string, max: number) => Iterable<NearSpelling | number>
  /** At most `most` spellings that go on after the text and a blank, the shortest first. */
  readonly longer: (text: string, most: number) => ReadonlyArray<NameKey>
}

/** Longer texts have no near spelling. */
export const comparedCharsMax = 100

export const makeNearSpellings = (): NearSpellings => {
  const keys: Array<NameKey> = []
  const postings = makePostings()

  const near = function* (text: string, max: number): Generator<NearSpelling | number> {
    if (text.length > comparedCharsMax) return
    const shared = new Uint8Array(keys.length)
    const sharedMin = partCount - max
    let links = 0
    for (let length = Math.max(0, text.length - max); length <= text.length + max; length += 1)
      for (let part = 0; part < partCount; part += 1)
        for (const hash of pieceHashes(text, length, part, max))
          for (let link = postings.first(hash); link !== 0; link = postings.after(link)) {
            const at = Math.floor((link - 1) / partCount)
            const count = (shared[at] ?? 0) + 1
            shared[at] = count
            links += 1
            if (links % linksPerSlice === 0) yield linksPerSlice
            const key = keys[at]
            if (count !== sharedMin || key === undefined) continue
            const distance = spellingDistance(text, key, max)
            if (distance <= max) yield { key, distance }
          }
    yield links % linksPerSlice
  }

  return {
    add: key => {
      if (key.length > comparedCharsMax) return
      keys.push(key)
      for (let part = 0; part < partCount; part += 1)
        postings.add(
          hashOfPart(key.length, part, key, partStart(key.length, part), partStart(key.length, part + 1)),
        )
    },
    near,
    longer: (text, most) =>
      keys
        .filter(key => key.charCodeAt(text.length) === blank && key.startsWith(text))
        .sort((one, other) => one.length - other.length)
        .slice(0, most),
  }
}

/** The letters of a text as bits. Letters that share a bit can only make texts look more alike. */
export const letterMask = (text: string): number => {
  let mask = 0
  for (let at = 0; at < text.length; at += 1) mask |= 1 << (text.charCodeAt(at) & 31)
  return mask
}

/** A lower bound of the distance of two texts: letters of one that the other does not have. */
export const countUnshared = (one: number, other: number): number =>
  Math.max(ones(one & ~other), ones(other & ~one))

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

/**
 * The parts of a spelling: one more than letters may differ. A text that is `max` letters away therefore holds at least
 * `partCount - max` of the parts unchanged, and each near the place that it has in the spelling (Li, Deng, Feng 2013).
 */
const partCount = distanceMax + 1

/** Where a part of a spelling of this length begins; the later parts have the letters that are left over. */
const partStart = (length: number, part: number): number => {
  const size = Math.floor(length / partCount)
  return part * size + Math.max(0, part - partCount + length - size * partCount)
}

/** The hash of one part: the length of its spelling, its number, and its letters. */
const hashOfPart = (length: number, part: number, text: string, from: number, to: number): number => {
  let hash = Math.imul(length * partCount + part + 1, 0x9e3779b1)
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** The spellings that have a part: a linked list of links for each hash. Equal hashes only cost a comparison. */
const makePostings = () => {
  const slots = hashSlots()
  const [firsts, next] = [numberList(words32), numberList(words32)]
  const anyEntry = (): boolean => true
  return {
    /** Adds the next link; those of one spelling follow one another. */
    add: (hash: number): void => {
      const known = slots.find(hash, anyEntry)
      next.push(known < 0 ? 0 : firsts.at(known))
      if (known >= 0) return firsts.set(known, next.length)
      slots.add(hash, firsts.length)
      firsts.push(next.length)
    },
    /** The first link of a hash plus one, and the one after a link; 0 where there is none. */
    first: (hash: number): number => {
      const known = slots.find(hash, anyEntry)
      return known < 0 ? 0 : firsts.at(known)
    },
    after: (link: number): number => next.at(link - 1),
  }
}

/** Links that are followed between two pauses: about a millisecond. */
const linksPerSlice = 4_096
const blank = 32

/** The hashes of the pieces of a text that may be a part of a spelling of this length. */
const pieceHashes = function* (text: string, length: number, part: number, max: number): Iterable<number> {
  const [start, end] = [partStart(length, part), partStart(length, part + 1)]
  if (start === end) yield hashOfPart(length, part, text, 0, 0)
  if (start === end) return
  const longerBy = text.length - length
  const from = Math.max(0, start - Math.floor((max - longerBy) / 2))
  const to = Math.min(text.length - (end - start), start + Math.floor((max + longerBy) / 2))
  let last = -1
  for (let at = from; at <= to; at += 1) {
    const hash = hashOfPart(length, part, text, at, at + end - start)
    // In `aaaa` all pieces are the same.
    if (hash !== last) yield hash
    last = hash
  }
}

const ones = (bits: number): number => {
  let [left, count] = [bits, 0]
  for (; left !== 0; count += 1) left &= left - 1
  return count
}

/** How far a comparison has come on each diagonal of its table; one comparison runs at a time. */
let reached = new Int32Array(64)
