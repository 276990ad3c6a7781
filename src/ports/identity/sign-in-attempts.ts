/** How a sign-in ended: the label `result` of `svc_auth_attempts_total`. */
export type AttemptResult = 'accepted' | 'refused' | 'not_linked' | 'unknown_id' | 'unavailable'

/**
 * Reports how a sign-in ended. `refused`, for a bad credential, is also a line of the audit stream, or counts
 * in a line for several attempts; its reason is one of the fixed texts of the rules and never holds a part of
 * what was sent. `network` is the client's: refusals are grouped by it, and it is not written anywhere.
 */
export type TellAttempt = (
  method: 'game' | 'chat',
  result: AttemptResult,
  reason: string | null,
  network: string,
) => void
