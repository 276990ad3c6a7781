import type { AuditAction } from '#protocol/events/audit.js'
import type { FileEdit } from './file-edit.js'

/** Something of the lore that a write changed, as events and the audit name it. */
export interface Touched {
  readonly kind: 'entity' | 'character' | 'session' | 'registry' | 'ledger' | 'repository' | 'identity'
  readonly name: string
}

/** What a write leaves in the audit stream once it stands, beside the line that every write leaves (A 6). */
export interface AuditNote {
  readonly action: AuditAction
  readonly actor: string
  readonly fields: Readonly<Record<string, string | null>>
}

/**
 * A planned write: everything that the gate needs, nothing done yet. No edits means that all is as wanted already: no
 * commit is made and the answer says so (D32).
 */
export interface ChangeSet<A> {
  readonly edits: ReadonlyArray<FileEdit>
  /**
   * Keys of all that the plan depends on or changes (`entity:NPC:kupiec orrin`, `slot:encje/indeks-02.md`). Writes that
   * share a key are never planned on one snapshot: the later one is planned again on what the earlier one left.
   */
  readonly claims: ReadonlyArray<string>
  readonly touches: ReadonlyArray<Touched>
  readonly audit?: ReadonlyArray<AuditNote>
  /** First line of the commit message: `area: what changed`. */
  readonly subject: string
  /** Where it is not the row's ordinary status. */
  readonly status?: number
  readonly answer: A
  /** Body of the dry run; the gate adds `diff`, the unified diff of the files (A 1). Its status is 200. */
  readonly preview: object
}
