import type { AuditLine } from '#protocol/events/audit.js'
import { type EventKind, type EventPayload, eventKinds } from '#protocol/events/kinds.js'
import type { AuditNote } from '#src/lore/change-set.js'

/** What the audit stream keeps of an event; null for events that change nothing, or whose lines are owed (ADR 0226). */
export const auditOf = <K extends EventKind>(kind: K, payload: EventPayload<K>): AuditLine | null => {
  const told: unknown = payload
  const { 'mode:changed': mode } = eventKinds
  if (kind === 'mode:changed' && mode.is(told))
    return { action: 'mode', actor: told.actor, mode: told.mode, detail: told.detail }
  return null
}

/** A write as the audit stream tells it: who wrote what where, and what the change set adds. */
export interface AuditedWrite {
  readonly actor: string
  readonly route: string
  readonly intent: string
  readonly subject: string
  readonly audit?: ReadonlyArray<AuditNote>
}

/** Every line that a write owes to the audit stream; its commit is added when the line is written. */
export const linesOf = ({
  actor,
  route,
  intent,
  subject,
  audit = [],
}: AuditedWrite): ReadonlyArray<AuditLine> => [
  { action: 'write', actor, route, intent, subject },
  ...audit.map(({ action, actor: who, fields }) => ({ action, actor: who, ...fields, intent })),
]
