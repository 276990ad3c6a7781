import type { TakeoverCooldown } from './takeover-refusals.js'

/** The takeover that made the topology as it is: the flip of a person has none. */
export interface MergedTakeover {
  /** Null until the forge has answered. */
  readonly mrIid: number | null
  readonly mrUrl: string | null
  /** On the clock of the forge; before its first answer of this boot, the date of the flip's commit. */
  readonly mergedAtMs: number
}

/** Later ends, of a merge in a far future, have no date that an answer can show. */
const endsAtMsMax = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The cooldown that a takeover began with, or null where it is over (D48). `nowMs` is on the clock of
 * `mergedAtMs`, so a step of this host's clock neither shortens nor lengthens it (S7).
 */
export const cooldownOf = (
  takeover: MergedTakeover | null,
  cooldownHours: number,
  nowMs: number,
): TakeoverCooldown | null => {
  if (takeover === null) return null
  const { mrIid, mrUrl, mergedAtMs } = takeover
  const endsAtMs = Math.min(endsAtMsMax, mergedAtMs + cooldownHours * 3_600_000)
  return nowMs < endsAtMs ? { mrIid, mrUrl, endsAtMs } : null
}
