/**
 * The decisions on which the promises of S32, S33 and L7 hang, in one record, so that the simulation can plant a bug in
 * each and show that its checkers find it. Production uses `rules` and nothing else.
 */
export interface KernelRules {
  /** Whether the result of an incarnation's effect may still reach the actor. */
  readonly isCurrent: (incarnation: number, live: number | null) => boolean
  readonly isFull: (waiting: number, mailboxMax: number) => boolean
  /** Whether the message that faulted its actor is set aside (D8) or delivered again. */
  readonly poison: 'quarantine' | 'redeliver'
  /** Whether messages that wait outlive the incarnation they waited for. */
  readonly keepsMailbox: boolean
  readonly exceeds: (restarts: number, restartsMax: number) => boolean
  /** Whether an answer is owed by the incarnation that took the question, and fails with it. */
  readonly failsOwed: boolean
}

export const rules: KernelRules = {
  isCurrent: (incarnation, live) => incarnation === live,
  isFull: (waiting, mailboxMax) => waiting >= mailboxMax,
  poison: 'quarantine',
  keepsMailbox: true,
  exceeds: (restarts, restartsMax) => restarts > restartsMax,
  failsOwed: true,
}
