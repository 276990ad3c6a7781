import type { ActorState } from '#protocol/host/kernel.js'

/**
 * Where an actor is in its life. `idle`: never started. `running`: an incarnation lives. `resting` and
 * `stuck`: the next incarnation starts after the backoff. `draining`: the incarnation handles the waiting
 * messages, then ends. `closed`: ended; only a restart of its supervisor starts it again.
 */
export type Phase = 'idle' | 'running' | 'resting' | 'stuck' | 'draining' | 'closed'

/**
 * What moves an actor to another phase. Its incarnation causes `fault` (a throw, or not ready in time),
 * `stall` (the watchdog found it stuck) and `end` (the actor asked for it); its supervisor causes the others.
 */
export type PhaseEvent = 'start' | 'fault' | 'stall' | 'end' | 'supersede' | 'drain' | 'close'

export interface PhaseRow {
  /** The name of the phase in readings and metrics. */
  readonly shownAs: ActorState
  /** Whether the mailbox accepts messages from others; if not, the sender gets `gone`. */
  readonly takesMail: boolean
  /** Whether the next incarnation is due after the backoff. */
  readonly awaitsRestart: boolean
  /** The next phase. `illegal` cannot happen: `nextPhase` throws. */
  readonly on: Readonly<Record<PhaseEvent, Phase | 'illegal'>>
}

/** No incarnation lives in these phases, so none can fault, stall or end. */
const lifeless = { fault: 'illegal', stall: 'illegal', end: 'illegal' } as const

/** Every phase of an actor: its properties, and the phase that each event leads to. */
export const phases: Readonly<Record<Phase, PhaseRow>> = {
  idle: {
    shownAs: 'stopped',
    takesMail: true,
    awaitsRestart: false,
    on: { ...lifeless, start: 'running', supersede: 'resting', drain: 'closed', close: 'closed' },
  },
  running: {
    shownAs: 'running',
    takesMail: true,
    awaitsRestart: false,
    on: {
      start: 'illegal',
      fault: 'resting',
      stall: 'stuck',
      end: 'resting',
      supersede: 'resting',
      drain: 'draining',
      close: 'closed',
    },
  },
  resting: {
    shownAs: 'backoff',
    takesMail: true,
    awaitsRestart: true,
    on: { ...lifeless, start: 'running', supersede: 'resting', drain: 'closed', close: 'closed' },
  },
  stuck: {
    shownAs: 'stuck',
    takesMail: true,
    awaitsRestart: true,
    on: { ...lifeless, start: 'running', supersede: 'stuck', drain: 'closed', close: 'closed' },
  },
  draining: {
    shownAs: 'running',
    takesMail: false,
    awaitsRestart: false,
    on: {
      start: 'illegal',
      fault: 'closed',
      stall: 'closed',
      end: 'closed',
      supersede: 'illegal',
      drain: 'closed',
      close: 'closed',
    },
  },
  closed: {
    shownAs: 'stopped',
    takesMail: false,
    awaitsRestart: false,
    on: { ...lifeless, start: 'running', supersede: 'closed', drain: 'closed', close: 'closed' },
  },
}

/** Returns the phase after the event. Throws where the table says `illegal`: that is a bug of the kernel. */
export const nextPhase = (actor: string, phase: Phase, event: PhaseEvent): Phase => {
  const next = phases[phase].on[event]
  if (next === 'illegal') throw new Error(`the kernel lets ${actor} ${event} while it is ${phase}`)
  return next
}
