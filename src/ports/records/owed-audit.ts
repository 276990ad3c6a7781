import type { AuditLine } from '#protocol/events.js'

/** An audit line that is on disk beside the change it describes, and may be missing from the audit stream. */
export interface OwedLine {
  readonly key: string
  /** When the change was made. */
  readonly atMs: number
  readonly line: AuditLine
}

/**
 * Audit lines that the audit stream may lack (ADR 1012). Each is stored in the transaction of the change it
 * describes, until the stream has it on disk.
 */
export interface OwedAudit {
  /**
   * Lines of committed changes that were stored before this database was opened, oldest first; a write has
   * its commit.
   */
  readonly before: () => ReadonlyArray<OwedLine>
  /**
   * Reports that the stream has these lines. They are deleted in the next transaction that stores some, or
   * when the database closes.
   */
  readonly paid: (keys: ReadonlyArray<string>) => void
}
