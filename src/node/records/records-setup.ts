import type { Config } from '#protocol/config.js'
import type { SegmentRules } from '#src/adapters/logs/segment-log.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Meter, OwedAudit } from '#src/ports/records.js'

export interface RecordsSetup {
  readonly state: string
  readonly config: Config
  readonly bootMs: number
  readonly meter: Meter
  /** Redacts the secrets of this host from a text. */
  readonly scrub: (text: string) => string
  /** Audit lines that are on disk beside the changes they describe, until the stream has them. */
  readonly owed: OwedAudit
  /** Logs failures of the recording itself. */
  readonly warn: (event: string, fields: object) => void
}

const mib = 1024 * 1024
const dayMs = 86_400_000
const segmentsMin = 8

/** The rules of a log of `totalMib` in segments of at most 4 MiB, each covering at most a day. */
export const rulesOf = (totalMib: number, days: number): SegmentRules => ({
  segmentBytes: Math.min(4 * mib, Math.max(64 * 1024, Math.floor((totalMib * mib) / segmentsMin))),
  segmentAgeMs: dayMs,
  totalBytes: totalMib * mib,
  keptMs: days * dayMs,
  nowMs: realClock.nowMs,
})
