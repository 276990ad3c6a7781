/** How a sign-in ended: the label `result` of `svc_auth_attempts_total`. */
export type AttemptResult = 'accepted' | 'refused' | 'not_linked' | 'unknown_id' | 'unavailable'

/**
 * Tells how a sign-in ended. `refused`, a bad credential, is also a line of the audit stream; its reason is one of the
 * texts of the rules and never holds a part of what was sent.
 */
export type TellAttempt = (method: 'game' | 'chat', result: AttemptResult, reason: string | null) => void
