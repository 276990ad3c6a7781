/** What the audit stream tells of, beside writes that are events: each with who did it (A 6). */
export const auditActions = [
  'write',
  'adoption',
  'mode',
  'credential.refused',
  'token.mint',
  'token.revoke',
  'identity.register',
  'identity.assign',
] as const
export type AuditAction = (typeof auditActions)[number]
