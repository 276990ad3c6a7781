import { after, type Moment, type Step, stay } from '#src/kernel/actor/actor.js'
import type { RepositorySyncMessage } from './messages.js'
import type { State, SyncSetup } from './state.js'

/** Announcements begin at most one converge in this time (S11). */
const announceMs = 5_000

/**
 * Lets a converge begin now, or when 5 s have passed since the last one that was announced. Announcements that
 * come until then share it.
 */
export const scheduleAnnounced = (
  { intervalMs }: SyncSetup,
  state: State,
  { monotonicMs }: Moment,
): Step<State, never, RepositorySyncMessage> => {
  const { lastMs, isDue } = state.announced
  if (isDue || intervalMs === 0) return stay(state)
  const delayMs = lastMs === null ? 0 : Math.max(0, lastMs + announceMs - monotonicMs)
  return [
    { ...state, announced: { lastMs, isDue: true } },
    [after('announce', delayMs, { _tag: 'AnnounceDue' })],
  ]
}
