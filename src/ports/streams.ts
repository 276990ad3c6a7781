import type { AuditLine } from '#protocol/events/audit.js'
import type { LogPage, LogStream } from '#protocol/events/streams.js'

/** Adds a record to a stream; `at` is added. Never throws, never waits; what is lost is counted. */
export type RecordTo = (stream: LogStream, fields: object) => void

/** Writes down who did what: beside the events, for acts that are none. */
export type Audit = (line: AuditLine) => void

/** Records of a stream before a number (null: the newest), newest first. */
export type ReadLogs = (stream: LogStream, before: number | null, limit: number) => Promise<LogPage>
