import { setTimeout as pause } from 'node:timers/promises'
import type { FleetScreen } from '#src/cli/fleet/fleet.js'

/** Between two looks of a watch. */
const intervalMs = 2_000

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
