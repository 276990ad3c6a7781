import type { Instant } from '#protocol/atoms/instant.js'
import type { AuditLine } from '#protocol/events/audit.js'
import type { LogPage, LogStream } from '#protocol/events/streams.js'

/** Adds a record to a stream; `at` is added. Never throws, never waits; what is lost is counted. */
export type RecordTo = (stream: LogStream, fields: object) => void

/**
 * Adds a record whose JSON is made when it is written to the disk, off the turn of the request. `render` is called once
 * with the instant of this call and with what takes credentials out of a text, and never throws; `chars` is about the
 * length of what it makes.
 */
export type RecordLater = (
  stream: Exclude<LogStream, 'audit'>,
  chars: number,
  render: (at: Instant, scrub: (text: string) => string) => string,
) => void

/** Writes down who did what: beside the events, for acts that are none. */
export type Audit = (line: AuditLine) => void

/** Records of a stream before a number (null: the newest), newest first. */
export type ReadLogs = (stream: LogStream, before: number | null, limit: number) => Promise<LogPage>
