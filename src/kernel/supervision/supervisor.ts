import type { RestartCause } from '#protocol/host/kernel.js'
import type { Orphans } from '../actor/record.js'
import type { Child } from './child.js'
import { backoffMs, isAffected, restartsInWindow } from './restart-policy.js'
import { readyMsDefault } from './supervisor-spec.js'
import {
  dismissChild,
  type Enlisted,
  enlistChild,
  type Member,
  makeMembers,
  restartsMaxOf,
  type Supervisor,
  windowMsOf,
} from './supervisor-state.js'

/** The supervisor as a child of its own supervisor, or of the kernel where it is the root. */
export const superviseChildren = (supervisor: Supervisor): Child => ({
  name: supervisor.policy.id,
  start: (_readyMs, report) => {
    supervisor.members = makeMembers(supervisor)
    supervisor.phase = 'running'
    supervisor.isReady = false
    supervisor.report = report
    startNext(supervisor)
  },
  supersede: delayMs => {
    stopRestarting(supervisor, 'idle')
    for (const member of inReverse(supervisor)) member.child.supersede(delayMs)
  },
  close: () => {
    stopRestarting(supervisor, 'closed')
    return inReverse(supervisor).flatMap(member => member.child.close())
  },
  drain: limitMs => drainMembers(supervisor, limitMs),
})

/** Adds a child and, where the supervisor runs, starts it. */
export const addChild = (supervisor: Supervisor, one: Enlisted): void => {
  enlistChild(supervisor, one)
  startNext(supervisor)
}

/** Removes a child for good and closes it; the others continue. */
export const removeChild = (supervisor: Supervisor, id: string): void => {
  const member = dismissChild(supervisor, id)
  if (member === undefined) return
  member.state = 'done'
  member.pause = null
  member.child.close()
}

const inReverse = (supervisor: Supervisor): ReadonlyArray<Member> => [...supervisor.members].reverse()

const stopRestarting = (supervisor: Supervisor, phase: 'idle' | 'draining' | 'closed'): void => {
  supervisor.phase = phase
  for (const cancel of supervisor.timers) cancel()
  supervisor.timers.clear()
}

/**
 * Starts the first queued member once all before it are up, and reports ready once all are. Where children start
 * apart it starts every queued member and reports ready.
 */
const startNext = (supervisor: Supervisor): void => {
  if (supervisor.phase !== 'running') return
  for (const member of supervisor.members) {
    if (member.state === 'queued') startMember(supervisor, member)
    if (supervisor.starts === 'inOrder' && !hasStarted(member)) return
  }
  if (supervisor.isReady) return
  supervisor.isReady = true
  supervisor.report?.ready()
}

const hasStarted = ({ state }: Member): boolean => state === 'up' || state === 'done'

const startMember = (supervisor: Supervisor, member: Member): void => {
  member.state = 'starting'
  member.pause = null
  member.child.start(member.spec.readyMs ?? readyMsDefault, {
    ready: () => onReady(supervisor, member),
    faulted: (cause, error) => onFault(supervisor, member, cause, error),
    ended: () => onEnd(supervisor, member),
  })
}

const onReady = (supervisor: Supervisor, member: Member): void => {
  if (member.state !== 'starting') return
  member.state = 'up'
  member.hasBeenUp = true
  member.upSinceMs = supervisor.core.clock.monotonicMs()
  startNext(supervisor)
}

const onFault = (supervisor: Supervisor, member: Member, cause: RestartCause, error: unknown): void => {
  if (supervisor.phase !== 'running') return
  if (member.spec.restart === 'temporary') retireMember(supervisor, member)
  else restartMember(supervisor, member, cause, error)
}

const onEnd = (supervisor: Supervisor, member: Member): void => {
  if (supervisor.phase !== 'running') return
  if (member.spec.restart !== 'permanent') return retireMember(supervisor, member)
  restartMember(supervisor, member, 'ended', new Error(`${member.child.name} ended, and is permanent`))
}

/** Closes a member for good; the others continue. */
const retireMember = (supervisor: Supervisor, member: Member): void => {
  member.state = 'done'
  member.child.close()
  startNext(supervisor)
}

/** Restarts a member after a backoff, or gives up where the restart exceeds its budget. */
const restartMember = (supervisor: Supervisor, member: Member, cause: RestartCause, error: unknown): void => {
  const { core } = supervisor
  const nowMs = core.clock.monotonicMs()
  const windowMs = windowMsOf(supervisor, member)
  const wasHealthy = member.upSinceMs !== null && nowMs - member.upSinceMs >= windowMs
  member.restartsAtMs = [...restartsInWindow(member.restartsAtMs, nowMs, windowMs), nowMs]
  member.streak = wasHealthy ? 0 : member.streak
  member.upSinceMs = null
  if (core.rules.exceeds(member.restartsAtMs.length, restartsMaxOf(supervisor, member)))
    return giveUp(supervisor, member, error)
  const delayMs = backoffMs(member.streak, core.entropy.chance())
  member.streak += 1
  core.log({ event: 'restarting', actor: member.child.name, cause, backoffMs: delayMs })
  restMembers(supervisor, member, cause, delayMs)
}

/**
 * Stops the members that the strategy selects, in reverse order, and starts them again in order after the
 * backoff.
 */
const restMembers = (supervisor: Supervisor, faulted: Member, cause: RestartCause, delayMs: number): void => {
  const { core, members, policy } = supervisor
  const at = members.indexOf(faulted)
  const pause = {}
  const affected = members.filter(
    (member, index) =>
      isAffected(policy.strategy, at, index) && member.state !== 'done' && member.state !== 'queued',
  )
  for (const member of [...affected].reverse()) {
    member.state = 'resting'
    member.pause = pause
    member.child.supersede(delayMs)
    core.meter.restarted(member.child.name, member === faulted ? cause : 'sibling')
  }
  const cancel = core.clock.after(delayMs, () => {
    supervisor.timers.delete(cancel)
    resumeMembers(supervisor, affected, pause)
  })
  supervisor.timers.add(cancel)
}

const resumeMembers = (supervisor: Supervisor, affected: ReadonlyArray<Member>, pause: object): void => {
  for (const member of affected) {
    if (member.pause !== pause) continue
    if (supervisor.policy.strategy === 'one_for_one' && member.hasBeenUp) startMember(supervisor, member)
    else member.state = 'queued'
  }
  startNext(supervisor)
}

/**
 * Handles an exceeded budget: abandons the member where its spec says so, otherwise ends all members and
 * fails itself.
 */
const giveUp = (supervisor: Supervisor, member: Member, error: unknown): void => {
  const { core, policy } = supervisor
  const restarts = member.restartsAtMs.length
  if (member.spec.onGiveUp === 'abandon') {
    core.log({ event: 'abandoned', actor: member.child.name, supervisor: policy.id, restarts })
    supervisor.onAbandoned(member.spec.id)
    return retireMember(supervisor, member)
  }
  core.log({ event: 'escalated', supervisor: policy.id, child: member.child.name, restarts })
  core.meter.escalated(policy.id)
  stopRestarting(supervisor, 'idle')
  for (const each of inReverse(supervisor)) each.child.supersede(0)
  supervisor.report?.faulted('escalation', error)
}

/** Drains the members in reverse order. Each has as long as its spec and the rest of `limitMs` allow. */
const drainMembers = async (supervisor: Supervisor, limitMs: number): Promise<ReadonlyArray<Orphans>> => {
  const { clock } = supervisor.core
  const untilMs = clock.monotonicMs() + limitMs
  stopRestarting(supervisor, 'draining')
  const orphans: Orphans[] = []
  for (const member of inReverse(supervisor)) {
    const leftMs = Math.max(0, untilMs - clock.monotonicMs())
    orphans.push(...(await member.child.drain(Math.min(member.spec.drainMs, leftMs))))
  }
  supervisor.phase = 'closed'
  return orphans
}
