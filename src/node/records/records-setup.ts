import type { Config } from '#protocol/config/keys.js'
import type { SegmentRules } from '#src/adapters/logs/segment-log.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Meter } from '#src/ports/records/meter.js'
import type { OwedAudit } from '#src/ports/records/owed-audit.js'

/** What the records of a host are made with. */
export interface RecordsSetup {
  readonly state: string
  readonly config: Config
  readonly bootMs: number
  readonly meter: Meter
  /** Takes the secrets of this host out of a text. */
  readonly scrub: (text: string) => string
  /** Lines of the audit that stand beside what they tell of, until they are in the stream. */
  readonly owed: OwedAudit
  /** Where failures of the recording itself are told. */
  readonly warn: (event: string, fields: object) => void
}

const mib = 1024 * 1024
const dayMs = 86_400_000
const segmentsMin = 8

/** A log of `totalMib` in segments of at most 4 MiB, each of a day at most. */
export const rulesOf = (totalMib: number, days: number): SegmentRules => ({
  segmentBytes: Math.min(4 * mib, Math.max(64 * 1024, Math.floor((totalMib * mib) / segmentsMin))),
  segmentAgeMs: dayMs,
  totalBytes: totalMib * mib,
  keptMs: days * dayMs,
  nowMs: realClock.nowMs,
})
