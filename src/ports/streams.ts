import type { Instant } from '#protocol/atoms/instant.js'
import type { AuditLine } from '#protocol/events/audit.js'
import type { LogPage, LogStream } from '#protocol/events/streams.js'

/** Adds a record to a stream; `at` is added. Never throws, never waits; what is lost is counted. */
export type RecordTo = (stream: LogStream, fields: object) => void

/** How records of one kind become lines. */
export interface LateRecords<A> {
  /** About how many characters the line of a record has, without making it. */
  readonly charsOf: (record: A) => number
  /** Called once with what takes credentials out of a text; returns what makes the JSON of a record. Never throws. */
  readonly lines: (scrub: (text: string) => string) => (at: Instant, record: A) => string
}

/**
 * Returns what adds records whose JSON is made when they are written to the disk, off the turn of the request, with the
 * instant at which they were added. It never throws and never waits; what is lost is counted.
 */
export type RecordLater = <A>(
  stream: Exclude<LogStream, 'audit'>,
  records: LateRecords<A>,
) => (record: A) => void

/** Writes down who did what: beside the events, for acts that are none. */
export type Audit = (line: AuditLine) => void

/** Records of a stream before a number (null: the newest), newest first. */
export type ReadLogs = (stream: LogStream, before: number | null, limit: number) => Promise<LogPage>
