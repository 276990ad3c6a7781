import * as t from 'io-ts'

/**
 * State of an actor, as `svc_actor_state` shows it. `stuck` lasts from the watchdog's verdict to the next
 * start.
 */
export const actorStates = ['running', 'backoff', 'stopped', 'stuck'] as const
export type ActorState = (typeof actorStates)[number]

/**
 * The result of a delivered message. `ok`: its effects ran; `error`: it faulted its actor; `timeout`: the
 * actor was found stuck while it handled the message; `stale_incarnation`: its incarnation ended first.
 */
export type MessageResult = 'ok' | 'error' | 'timeout' | 'stale_incarnation'

/** Why a message was never delivered (D8). A full mailbox rejects the sender and is not among them. */
export const deadLetterReasons = ['stopped', 'undecodable', 'deadline'] as const
export type DeadLetterReason = (typeof deadLetterReasons)[number]

/**
 * Why an incarnation was replaced: a throw of `receive`, of an effect or of `initial`; a stuck effect; no
 * readiness in time; an end that its restart kind does not allow; a restart ordered by a sibling's fault; a
 * group that gave up.
 */
export const restartCauses = [
  'receive',
  'effect',
  'initial',
  'stuck',
  'not_ready',
  'ended',
  'sibling',
  'escalation',
] as const
export type RestartCause = (typeof restartCauses)[number]

/** Strategies of a supervisor, with the meaning of OTP. */
export const strategies = ['one_for_one', 'rest_for_one', 'one_for_all'] as const
export type Strategy = (typeof strategies)[number]

/** When a child is restarted: always, only after a fault, never. */
export type RestartKind = 'permanent' | 'transient' | 'temporary'

export const ActorState = t.keyof({ running: null, backoff: null, stopped: null, stuck: null }, 'ActorState')

/**
 * State of a supervisor, as `svc_supervisor_state` shows it. `starting`: a child has not reported ready since
 * the start. `restarting`: a child waits for its backoff or starts again. `backoff`: it gave up, or a
 * sibling's fault ended it, and its own supervisor starts it again.
 */
export const supervisorStates = [
  'starting',
  'running',
  'restarting',
  'draining',
  'backoff',
  'stopped',
] as const
export type SupervisorState = (typeof supervisorStates)[number]

/** The figures of one actor for `/health` and the console. Ages and delays in milliseconds. */
export const ActorReading = t.strict(
  {
    actor: t.string,
    state: ActorState,
    incarnation: t.number,
    waiting: t.number,
    mailboxMax: t.number,
    oldestMs: t.number,
    backoffMs: t.number,
    restarts: t.number,
    quarantined: t.number,
    deadLetters: t.number,
  },
  'ActorReading',
)
export type ActorReading = Readonly<t.TypeOf<typeof ActorReading>>

export const SupervisorState = t.keyof(
  { starting: null, running: null, restarting: null, draining: null, backoff: null, stopped: null },
  'SupervisorState',
)

/**
 * The figures of one supervisor for metrics and a live view: its state, and the child that has used most of
 * its restart budget. `child` is null when no child restarted within its window. Milliseconds.
 */
export const SupervisorReading = t.strict(
  {
    supervisor: t.string,
    state: SupervisorState,
    child: t.union([t.string, t.null]),
    restartsInWindow: t.number,
    restartsMax: t.number,
    windowMs: t.number,
  },
  'SupervisorReading',
)
export type SupervisorReading = Readonly<t.TypeOf<typeof SupervisorReading>>
