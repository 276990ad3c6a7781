import { setTimeout as pause } from 'node:timers/promises'
import type { FleetScreen } from '#src/cli/fleet/fleet.js'

/** Between two looks of a watch, or at a job. */
const intervalMs = 2_000

/** Waits until the next look at a job. */
export const pauseLooks = (): Promise<void> => pause(intervalMs)

/** Starts a watch on stdout, which SIGINT or SIGTERM ends. */
export const startWatch = (): FleetScreen => {
  const end = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort())
  const { signal } = end
  return {
    isTerminal: process.stdout.isTTY,
    ended: signal,
    pause: () => pause(intervalMs, undefined, { signal }).catch(() => undefined),
  }
}
