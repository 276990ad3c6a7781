import type { AuditLine } from '#protocol/events/audit.js'

/** A line that stands on disk beside what it tells of, and maybe not in the audit stream. */
export interface OwedLine {
  readonly key: string
  /** When what it tells of was done. */
  readonly atMs: number
  readonly line: AuditLine
}

/**
 * Lines that the audit stream is owed (ADR 1012): each is kept in the transaction of what it tells of, until the stream
 * has it on disk.
 */
export interface OwedAudit {
  /** What was kept before this database was opened and stands, oldest first; a write has its commit. */
  readonly before: () => ReadonlyArray<OwedLine>
  /** The stream has these: they go with the next transaction that keeps some, or when the database closes. */
  readonly paid: (keys: ReadonlyArray<string>) => void
}
