import type { NameKey } from '#protocol/atoms/name.js'
import { type NumberList, numberList, words32 } from './growable.js'
import { countUnshared, letterMask } from './spelling-distance.js'
import { makeDistanceFrom } from './spelling-distance-bits.js'

/** A spelling near a text. */
export interface NearSpelling {
  readonly key: NameKey
  readonly distance: number
}

/** Spellings by their length, so that those near a text are found without looking at the others. */
export interface SpellingLengths {
  readonly add: (key: NameKey) => void
  /**
   * Calls `visit` for spellings at most `max()` away, the nearest lengths first. Computes a bounded number of
   * distances, and returns how many.
   */
  readonly visitNear: (text: string, max: () => number, visit: (near: NearSpelling) => void) => number
  /** Calls `visit` for at most `most` spellings that go on after the text and a blank. */
  readonly visitLonger: (text: string, most: number, visit: (key: NameKey) => void) => void
}

/** Spellings of one length: their keys, and the letters of each as bits. */
interface Bucket {
  readonly keys: Array<NameKey>
  readonly masks: NumberList
}

/** Longer texts have no near spelling. */
export const comparedCharsMax = 100
/** How many distances one search computes; beyond that it has found the nearest of those compared so far. */
const distancesMax = 20_000
const blank = 32

export const makeSpellingLengths = (): SpellingLengths => {
  const buckets = new Map<number, Bucket>()
  return {
    add: key => {
      if (key.length > comparedCharsMax) return
      const bucket = buckets.get(key.length) ?? { keys: [], masks: numberList(words32) }
      buckets.set(key.length, bucket)
      bucket.keys.push(key)
      bucket.masks.push(letterMask(key) >>> 0)
    },
    visitNear: (text, max, visit) => {
      if (text.length > comparedCharsMax) return 0
      const mask = letterMask(text)
      const distanceTo = makeDistanceFrom(text)
      let left = distancesMax
      for (let off = 0; off <= max(); off += 1)
        for (const length of off === 0 ? [text.length] : [text.length - off, text.length + off]) {
          const bucket = buckets.get(length)
          if (bucket === undefined) continue
          for (let at = 0; at < bucket.keys.length; at += 1) {
            if (countUnshared(mask, bucket.masks.at(at)) > max()) continue
            const key = bucket.keys[at]
            if (key === undefined || left === 0) return distancesMax - left
            left -= 1
            const distance = distanceTo(key, max())
            if (distance <= max()) visit({ key, distance })
          }
        }
      return distancesMax - left
    },
    visitLonger: (text, most, visit) => {
      let left = most
      for (let length = text.length + 2; length <= comparedCharsMax && left > 0; length += 1)
        for (const key of buckets.get(length)?.keys ?? []) {
          if (key.charCodeAt(text.length) !== blank || !key.startsWith(text)) continue
          visit(key)
          left -= 1
          if (left === 0) return
        }
    },
  }
}
