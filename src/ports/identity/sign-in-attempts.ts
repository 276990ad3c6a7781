/** How a sign-in ended: the label `result` of `svc_auth_attempts_total`. */
export type AttemptResult = 'accepted' | 'refused' | 'not_linked' | 'unknown_id' | 'unavailable'

/**
 * Tells how a sign-in ended. `refused`, a bad credential, is also a line of the audit stream, or counts in one that
 * tells of many; its reason is one of the texts of the rules and never holds a part of what was sent. `network` is the
 * one of the client: refusals are folded by it, and it is written nowhere.
 */
export type TellAttempt = (
  method: 'game' | 'chat',
  result: AttemptResult,
  reason: string | null,
  network: string,
) => void
