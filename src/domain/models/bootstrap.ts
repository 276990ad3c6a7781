import { hash } from 'node:crypto'
import type { Artifact, DocumentCounts } from './artifact.js'

/** How many samples of the held-out documents are drawn. */
export const resamples = 1_000

/**
 * Whether the difference of two artifacts in F1 may be chance: the documents that both were measured on are drawn
 * anew, with the same draw for both, and the middle 95 % of the differences contain 0. Null where they were not
 * measured on the same documents. The draws follow from the digests, so every host finds the same.
 */
export const isWithinNoise = (candidate: Artifact, live: Artifact): boolean | null => {
  const known = cache.get(candidate)?.get(live)
  if (known !== undefined) return known
  const found = resample(candidate, live)
  const ofCandidate = cache.get(candidate) ?? new WeakMap<Artifact, boolean | null>()
  cache.set(candidate, ofCandidate.set(live, found))
  return found
}

/** F1 of counts; 0 where nothing was found and nothing was there. */
export const f1Of = ({ tp, fp, fn }: Pick<DocumentCounts, 'tp' | 'fp' | 'fn'>): number =>
  tp + fp + fn === 0 ? 0 : (2 * tp) / (2 * tp + fp + fn)

const cache = new WeakMap<Artifact, WeakMap<Artifact, boolean | null>>()

const tail = 0.025

const resample = (candidate: Artifact, live: Artifact): boolean | null => {
  const [mine, theirs] = [candidate.documents ?? [], live.documents ?? []]
  const isPaired =
    mine.length > 0 &&
    mine.length === theirs.length &&
    mine.every(({ document }, at) => document === theirs[at]?.document)
  if (!isPaired) return null
  const random = randomOf(`${candidate.digests?.model ?? ''} ${live.digests?.model ?? ''}`)
  const differences = Array.from({ length: resamples }, () => {
    const [one, other] = [
      { tp: 0, fp: 0, fn: 0 },
      { tp: 0, fp: 0, fn: 0 },
    ]
    for (let drawn = 0; drawn < mine.length; drawn += 1) {
      const at = Math.floor(random() * mine.length)
      add(one, mine[at])
      add(other, theirs[at])
    }
    return f1Of(one) - f1Of(other)
  }).sort((a, b) => a - b)
  const low = differences[Math.floor(resamples * tail)] ?? 0
  const high = differences[Math.ceil(resamples * (1 - tail)) - 1] ?? 0
  return low <= 0 && high >= 0
}

const add = (sum: { tp: number; fp: number; fn: number }, counts: DocumentCounts | undefined): void => {
  if (counts === undefined) return
  sum.tp += counts.tp
  sum.fp += counts.fp
  sum.fn += counts.fn
}

/** Numbers from 0 to below 1 that follow from a text (xorshift32). */
const randomOf = (text: string): (() => number) => {
  let state = Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
