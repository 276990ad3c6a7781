import type { Instant } from '#protocol/atoms/instant.js'
import type { AuditLine } from '#protocol/events/audit.js'
import type { LogPage, LogStream } from '#protocol/events/streams.js'

/** Adds a record to a stream; `at` is added. Never throws, never waits; what is lost is counted. */
export type RecordTo = (stream: LogStream, fields: object) => void

/**
 * How records of one kind become lines: called once with what takes credentials out of a text, it returns what makes
 * the JSON of a record. Never throws.
 */
export type LinesOf<A> = (scrub: (text: string) => string) => (at: Instant, record: A) => string

/** Returns what adds records of one kind, like `RecordTo`. */
export type RecordLines = <A>(stream: Exclude<LogStream, 'audit'>, lines: LinesOf<A>) => (record: A) => void

/** Writes down who did what: beside the events, for acts that are none. */
export type Audit = (line: AuditLine) => void

/** Records of a stream before a number (null: the newest), newest first. */
export type ReadLogs = (stream: LogStream, before: number | null, limit: number) => Promise<LogPage>
