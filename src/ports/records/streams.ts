import type { Instant } from '#protocol/atoms.js'
import type { AuditLine, LogPage, LogStream } from '#protocol/events.js'

/** Adds a record to a stream, with the time as `at`. Never throws, never waits; a lost record is counted. */
export type RecordTo = (stream: LogStream, fields: object) => void

/**
 * How records of one kind become lines. Called once with the function that redacts credentials from a text;
 * returns the function that makes the JSON of a record. Never throws.
 */
export type LinesOf<A> = (scrub: (text: string) => string) => (at: Instant, record: A) => string

/** Returns a function that adds records of one kind, like `RecordTo`. */
export type RecordLines = <A>(stream: Exclude<LogStream, 'audit'>, lines: LinesOf<A>) => (record: A) => void

/** Records who did what, for acts that are not events. */
export type Audit = (line: AuditLine) => void

/** Records of a stream before a number (null: the newest), newest first. */
export type ReadLogs = (stream: LogStream, before: number | null, limit: number) => Promise<LogPage>
