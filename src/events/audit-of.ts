import type { AuditAction } from '#protocol/events/audit.js'
import { type EventKind, type EventPayload, eventKinds } from '#protocol/events/kinds.js'

/** A line of the audit stream, before it has a number and a time. */
export interface AuditLine {
  readonly action: AuditAction
  readonly actor: string
  readonly [field: string]: string | number | null
}

/** What the audit stream keeps of an event: who wrote what where; null for events that change nothing. */
export const auditOf = <K extends EventKind>(kind: K, payload: EventPayload<K>): AuditLine | null => {
  const told: unknown = payload
  const { 'write:committed': write, 'mode:changed': mode, 'adoption:done': adoption } = eventKinds
  if (kind === 'write:committed' && write.is(told)) {
    const { actor, route, intent, commit, subject } = told
    return { action: 'write', actor, route, intent, commit, subject }
  }
  if (kind === 'mode:changed' && mode.is(told))
    return { action: 'mode', actor: told.actor, mode: told.mode, detail: told.detail }
  if (kind === 'adoption:done' && adoption.is(told))
    return { action: 'adoption', actor: 'adoption', commit: told.commit, files: told.files }
  return null
}
