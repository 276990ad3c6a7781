import * as t from 'io-ts'

const AuditAction = t.keyof({
  write: null,
  adoption: null,
  mode: null,
  'credential.refused': null,
  'token.mint': null,
  'token.revoke': null,
  'identity.register': null,
  'identity.assign': null,
  'history.accept': null,
  'history.replay': null,
  'fleet.takeover': null,
  'fleet.announce': null,
  'chat.send': null,
})
/** Actions in the audit stream beside writes that are events; each names its actor (A 6). */
export type AuditAction = t.TypeOf<typeof AuditAction>

/** A line of the audit stream, before it has a number and a time. */
export const AuditLine = t.intersection(
  [
    t.type({ action: AuditAction, actor: t.string }),
    t.record(t.string, t.union([t.string, t.number, t.null])),
  ],
  'AuditLine',
)
export type AuditLine = Readonly<t.TypeOf<typeof AuditLine>>

/**
 * The key that distinguishes a line from all others: a write has one line for each action, and so has a named
 * token. Null for a line that is not owed.
 */
export const keyOf = (line: Readonly<Record<string, unknown>>): string | null => {
  const { action, intent, id } = line
  const of = intent ?? id
  return typeof action === 'string' && typeof of === 'string' ? `${action} ${of}` : null
}
