import type { Tree } from '#protocol/atoms.js'
import { type AuditLine, type EventKind, type EventPayload, eventKinds } from '#protocol/host/events.js'
import type { TokenRef } from '#protocol/identity/sign-in.js'
import type { AuditNote } from '#src/domain/lore/changes.js'

/**
 * The audit line of an event. Only `mode:changed` has one; every other kind, and a payload that its codec
 * rejects, gives null. The lines of writes come from `auditLinesOfWrite` (ADR 1012).
 */
export const auditLineOfEvent = <K extends EventKind>(
  kind: K,
  payload: EventPayload<K>,
): AuditLine | null => {
  const told: unknown = payload
  const { 'mode:changed': mode } = eventKinds
  if (kind === 'mode:changed' && mode.is(told))
    return {
      action: 'mode',
      actor: told.actor,
      ...(told.token === null ? {} : { token: told.token, tokenName: told.tokenName }),
      mode: told.mode,
      detail: told.detail,
    }
  return null
}

/** The named token as fields of an audit line; empty when there is none. */
export const tokenFields = (
  token: TokenRef | undefined,
): { readonly token?: string; readonly tokenName?: string } =>
  token === undefined ? {} : { token: token.id, tokenName: token.name }

/** A write as the audit stream reports it: who wrote what where, and the notes of the change set. */
export interface AuditedWrite {
  readonly actor: string
  readonly token?: TokenRef | undefined
  readonly route: string
  readonly intent: string
  /** The tree that was written; absent: the lore. */
  readonly tree?: Tree
  readonly subject: string
  readonly audit?: ReadonlyArray<AuditNote>
}

/**
 * The audit lines of a write: first the write itself, then one for each audit note of its change set. The
 * commit is added when the lines are written.
 */
export const auditLinesOfWrite = ({
  actor,
  token,
  route,
  intent,
  tree = 'lore',
  subject,
  audit = [],
}: AuditedWrite): ReadonlyArray<AuditLine> => [
  {
    action: 'write',
    actor,
    ...tokenFields(token),
    route,
    intent,
    ...(tree === 'lore' ? {} : { tree }),
    subject,
  },
  ...audit.map(({ action, actor: who, fields }) => ({
    action,
    actor: who,
    ...tokenFields(token),
    ...fields,
    intent,
  })),
]
