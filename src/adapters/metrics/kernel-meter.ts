import { actorStates, deadLetterReasons, restartCauses } from '#protocol/host/kernel.js'
import type { KernelMeter } from '#src/kernel/meter.js'
import type { Meter } from '#src/ports/records.js'

/** Exports what is counted of an actor at 0, before it happens for the first time. */
const beginActor = (meter: Meter, actor: string): void => {
  for (const cause of restartCauses) meter.count('svc_actor_restarts_total', { actor, cause }, 0)
  for (const reason of deadLetterReasons) meter.count('svc_actor_dead_letters_total', { actor, reason }, 0)
  meter.count('svc_actor_rejected_total', { actor }, 0)
  meter.count('svc_actor_quarantined_total', { actor }, 0)
  meter.count('svc_actor_long_turns_total', { actor }, 0)
}

/** Meters the kernel under the names of `protocol/metric.ts`. */
export const kernelMeter = (meter: Meter): KernelMeter => ({
  messageDone: (actor, message, result) =>
    meter.count('svc_actor_messages_total', { actor, message, result }),
  processed: (actor, message, seconds) =>
    meter.observe('svc_actor_processing_seconds', { actor, message }, seconds),
  waited: (actor, seconds) => meter.observe('svc_actor_mailbox_wait_seconds', { actor }, seconds),
  mailboxLimit: (actor, messages) => {
    meter.gauge('svc_actor_mailbox_limit_messages', { actor }, messages)
    beginActor(meter, actor)
  },
  rejected: actor => meter.count('svc_actor_rejected_total', { actor }),
  restarted: (actor, cause) => meter.count('svc_actor_restarts_total', { actor, cause }),
  backoff: (actor, seconds) => meter.gauge('svc_actor_restart_backoff_seconds', { actor }, seconds),
  state: (actor, current) => {
    for (const state of actorStates)
      meter.gauge('svc_actor_state', { actor, state }, state === current ? 1 : 0)
  },
  deadLetter: (actor, reason) => meter.count('svc_actor_dead_letters_total', { actor, reason }),
  quarantined: actor => meter.count('svc_actor_quarantined_total', { actor }),
  longTurn: actor => meter.count('svc_actor_long_turns_total', { actor }),
  escalated: supervisor => meter.count('svc_supervisor_escalations_total', { supervisor }),
  violated: invariant => meter.count('svc_invariant_violations_total', { invariant }),
})
