/**
 * The decisions behind the guarantees S32, S33 and L7, in one record, so that the simulation can plant a bug
 * in each and show that its checkers find it. Production always uses `rules`.
 */
export interface KernelRules {
  /** Whether the result of an incarnation's effect may still reach the actor. */
  readonly isCurrent: (incarnation: number, live: number | null) => boolean
  readonly isFull: (waiting: number, mailboxMax: number) => boolean
  /** Whether the message that faulted its actor is set aside (D8) or delivered again. */
  readonly poison: 'quarantine' | 'redeliver'
  /** Whether waiting messages outlive the incarnation that they were sent to. */
  readonly keepsMailbox: boolean
  readonly exceeds: (restarts: number, restartsMax: number) => boolean
  /** Whether an ask fails when the incarnation that received it ends before answering. */
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
