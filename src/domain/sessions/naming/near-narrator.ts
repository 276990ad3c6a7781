import type { NameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { countUnshared, letterMask, spellingDistance } from '#src/domain/names/forms/spelling-distance.js'
import type { NameIndex } from '#src/domain/names/resolution.js'

/** A heading or another spelling of a Gracz. */
interface Signature {
  readonly key: NameKey
  readonly mask: number
  readonly gracz: Entity
}

/** The spellings of Gracze by their length. */
const signatures = perValue(({ exact, alias }: NameIndex): ReadonlyMap<number, ReadonlyArray<Signature>> => {
  const byLength = new Map<number, Array<Signature>>()
  for (const index of [exact, alias])
    for (const [key, owners] of index)
      for (const gracz of owners) {
        if (gracz.type !== 'Gracz') continue
        const known = byLength.get(key.length)
        const one = { key, mask: letterMask(key), gracz }
        if (known === undefined) byLength.set(key.length, [one])
        else known.push(one)
      }
  return byLength
})

/** Length in UTF-16 code units of the longest text that is compared. */
const comparedCharsMax = 100
/** Absorbs the rounding of `1 - score`, so that three edits in twenty letters are a similarity of 0.85. */
const rounding = 1e-9

/**
 * The one Gracz with a spelling whose similarity to the text, 1 - distance / length of the longer one, is at
 * least `score`; null when no Gracz has one, or several have.
 */
export const graczSpelledNear = (names: NameIndex, key: NameKey, score: number): Entity | null => {
  if (key.length > comparedCharsMax) return null
  const mask = letterMask(key)
  let near: Entity | null = null
  for (const [length, list] of signatures(names)) {
    const max = Math.floor((1 - score) * Math.max(length, key.length) + rounding)
    if (Math.abs(length - key.length) > max) continue
    for (const one of list) {
      if (one.gracz === near || countUnshared(mask, one.mask) > max) continue
      if (spellingDistance(key, one.key, max) > max) continue
      if (near !== null) return null
      near = one.gracz
    }
  }
  return near
}
