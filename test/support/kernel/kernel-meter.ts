import type { KernelMeter } from '#src/kernel/meter.js'

/** A meter that counts under `actor/what/label`. */
export interface CountingMeter extends KernelMeter {
  readonly count: (key: string) => number
  /** Settled messages of the actor: done with any result, dead or rejected. */
  readonly settled: (actor: string) => number
}

export const makeCountingMeter = (): CountingMeter => {
  const counts = new Map<string, number>()
  const settled = new Map<string, number>()
  const add = (key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const settle = (actor: string, key: string): void => {
    settled.set(actor, (settled.get(actor) ?? 0) + 1)
    add(key)
  }
  return {
    messageDone: (actor, _message, result) => settle(actor, `${actor}/done/${result}`),
    processed: actor => add(`${actor}/processed`),
    waited: actor => add(`${actor}/waited`),
    mailboxLimit: actor => add(`${actor}/limit`),
    rejected: actor => settle(actor, `${actor}/rejected`),
    restarted: (actor, cause) => {
      add(`${actor}/restarted`)
      add(`${actor}/restarted/${cause}`)
    },
    backoff: actor => add(`${actor}/backoff`),
    state: (actor, state) => add(`${actor}/state/${state}`),
    deadLetter: (actor, reason) => settle(actor, `${actor}/dead/${reason}`),
    quarantined: actor => add(`${actor}/quarantined`),
    longTurn: actor => add(`${actor}/long`),
    escalated: supervisor => add(`${supervisor}/escalated`),
    violated: invariant => add(`violated/${invariant}`),
    count: key => counts.get(key) ?? 0,
    settled: actor => settled.get(actor) ?? 0,
  }
}
