import type { SupervisorReading, SupervisorState } from '#protocol/kernel.js'
import { restartsInWindow } from './restart-policy.js'
import { type Member, restartsMaxOf, type Supervisor, windowMsOf } from './supervisor-state.js'

type Budget = Pick<SupervisorReading, 'child' | 'restartsInWindow' | 'restartsMax' | 'windowMs'>

const stateOf = ({ phase, report, isReady, members }: Supervisor): SupervisorState => {
  switch (phase) {
    case 'idle':
      return report === null ? 'stopped' : 'backoff'
    case 'running':
      if (!isReady) return 'starting'
      return members.every(({ state }) => state === 'up' || state === 'done') ? 'running' : 'restarting'
    case 'draining':
      return 'draining'
    case 'closed':
      return 'stopped'
  }
}

const budgetOf = (supervisor: Supervisor, member: Member, nowMs: number): Budget => {
  const windowMs = windowMsOf(supervisor, member)
  return {
    child: member.spec.id,
    restartsInWindow: restartsInWindow(member.restartsAtMs, nowMs, windowMs).length,
    restartsMax: restartsMaxOf(supervisor, member),
    windowMs,
  }
}

/** How much of a budget is spent; above 1 it is exceeded. */
const shareSpent = ({ restartsInWindow, restartsMax }: Budget): number => restartsInWindow / (restartsMax + 1)

/**
 * What metrics and the live view show of a supervisor now. Each child has its own budget, so the reading
 * shows the child that has spent the largest share of its budget, or the supervisor's own budget where no
 * child restarted within its window. A retired child does not count.
 */
export const readSupervisor = (supervisor: Supervisor): SupervisorReading => {
  const { core, members, policy } = supervisor
  const nowMs = core.clock.monotonicMs()
  const unspent: Budget = {
    child: null,
    restartsInWindow: 0,
    restartsMax: policy.restartsMax,
    windowMs: policy.windowMs,
  }
  const budget = members
    .filter(({ state }) => state !== 'done')
    .map(member => budgetOf(supervisor, member, nowMs))
    .reduce((most, each) => (shareSpent(each) > shareSpent(most) ? each : most), unspent)
  return { supervisor: policy.id, state: stateOf(supervisor), ...budget }
}
