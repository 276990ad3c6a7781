import type { AuditAction } from '#protocol/events.js'
import type { FileEdit } from './file-edit.js'

/** An object of the lore that a write changed, as events and the audit name it. */
export interface Touched {
  readonly kind:
    | 'entity'
    | 'character'
    | 'session'
    | 'registry'
    | 'ledger'
    | 'repository'
    | 'identity'
    | 'permissions'
    | 'schedule'
  readonly name: string
}

/**
 * What a write adds to the audit stream once its commit is made, beside the line that every write adds (A 6).
 */
export interface AuditNote {
  readonly action: AuditAction
  readonly actor: string
  readonly fields: Readonly<Record<string, string | null>>
}

/**
 * A planned write: everything that the gate needs to carry it out. Without edits there is nothing to change;
 * the gate makes no commit and the answer says so (D32).
 */
export interface ChangeSet<A> {
  readonly edits: ReadonlyArray<FileEdit>
  /**
   * Keys of everything that the plan depends on or changes (`entity:NPC:kupiec orrin`,
   * `slot:encje/indeks-02.md`). The gate never plans two writes that share a key on one snapshot: it plans
   * the later one again on the result of the earlier one.
   */
  readonly claims: ReadonlyArray<string>
  readonly touches: ReadonlyArray<Touched>
  readonly audit?: ReadonlyArray<AuditNote>
  /** First line of the commit message: `area: what changed`. */
  readonly subject: string
  /** Set only when it differs from the row's ordinary status. */
  readonly status?: number
  readonly answer: A
  /** Body of the dry run, answered with 200. The gate adds `diff`, the unified diff of the files (A 1). */
  readonly preview: object
}
