import type { ActorState, DeadLetterReason, MessageResult, RestartCause } from '#protocol/host/kernel.js'

/**
 * Where the kernel counts. `actor` is the actor's name without its incarnation, `message` the `_tag` of a
 * decoded message: both come from closed sets. Gauges that change with every message (waiting, oldest age)
 * are not pushed here: the metrics read them from `Kernel.readings()` when they are collected. Each line
 * names its metric (METRICS).
 */
export interface KernelMeter {
  /** svc_actor_messages_total */
  readonly messageDone: (actor: string, message: string, result: MessageResult) => void
  /** svc_actor_processing_seconds: from `receive` to the end of the last effect */
  readonly processed: (actor: string, message: string, seconds: number) => void
  /** svc_actor_mailbox_wait_seconds */
  readonly waited: (actor: string, seconds: number) => void
  /** svc_actor_mailbox_limit_messages, reported once for each actor when it is placed */
  readonly mailboxLimit: (actor: string, messages: number) => void
  /** Messages that a full mailbox refused */
  readonly rejected: (actor: string) => void
  /** svc_actor_restarts_total; `actor` may also be the id of a group */
  readonly restarted: (actor: string, cause: RestartCause) => void
  /** svc_actor_restart_backoff_seconds; 0 once the actor runs */
  readonly backoff: (actor: string, seconds: number) => void
  /** svc_actor_state */
  readonly state: (actor: string, state: ActorState) => void
  /** svc_actor_dead_letters_total */
  readonly deadLetter: (actor: string, reason: DeadLetterReason) => void
  /** svc_actor_quarantined_total */
  readonly quarantined: (actor: string) => void
  /** svc_actor_long_turns_total */
  readonly longTurn: (actor: string) => void
  /** svc_supervisor_escalations_total */
  readonly escalated: (supervisor: string) => void
  /** svc_invariant_violations_total: an actor handles two messages at once (S32) */
  readonly violated: (invariant: 'S32') => void
}

const nothing = (): void => undefined

export const silentMeter: KernelMeter = {
  messageDone: nothing,
  processed: nothing,
  waited: nothing,
  mailboxLimit: nothing,
  rejected: nothing,
  restarted: nothing,
  backoff: nothing,
  state: nothing,
  deadLetter: nothing,
  quarantined: nothing,
  longTurn: nothing,
  escalated: nothing,
  violated: nothing,
}

const containFailures =
  <A extends ReadonlyArray<unknown>>(run: (...args: A) => void): ((...args: A) => void) =>
  (...args) => {
    try {
      run(...args)
    } catch {
      // A meter or log that throws must not decide the fate of an actor (F8 e).
    }
  }

/** Wraps a meter so that its throws are ignored. */
export const containMeterFailures = (meter: KernelMeter): KernelMeter => ({
  messageDone: containFailures(meter.messageDone),
  processed: containFailures(meter.processed),
  waited: containFailures(meter.waited),
  mailboxLimit: containFailures(meter.mailboxLimit),
  rejected: containFailures(meter.rejected),
  restarted: containFailures(meter.restarted),
  backoff: containFailures(meter.backoff),
  state: containFailures(meter.state),
  deadLetter: containFailures(meter.deadLetter),
  quarantined: containFailures(meter.quarantined),
  longTurn: containFailures(meter.longTurn),
  escalated: containFailures(meter.escalated),
  violated: containFailures(meter.violated),
})

export { containFailures }
