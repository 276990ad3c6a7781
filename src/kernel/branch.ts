import type { RestartCause } from '#protocol/kernel/vocabulary.js'
import type { Orphans } from './actor/record.js'
import type { Core, Node, NodeReport } from './core.js'
import {
  backoffMs,
  type ChildSpec,
  isAffected,
  readyMsDefault,
  restartsWithin,
  type SupervisorSpec,
} from './supervisor.js'
import type { Cancel } from './time/clock.js'

interface Member {
  readonly spec: ChildSpec<string>
  readonly node: Node
  state: 'queued' | 'starting' | 'up' | 'resting' | 'done'
  restartsAtMs: ReadonlyArray<number>
  /** Restarts in a row without a full window of health between them. */
  streak: number
  upSinceMs: number | null
  hasBeenUp: boolean
  /** The backoff this member waits for; a later one takes its place. */
  pause: object | null
}

interface Branch {
  readonly core: Core
  readonly spec: SupervisorSpec<string>
  readonly timers: Set<Cancel>
  members: ReadonlyArray<Member>
  phase: 'idle' | 'running' | 'draining' | 'closed'
  isReady: boolean
  report: NodeReport | null
}

/** A supervisor: a child of another, or the root. */
export const branchOf = (
  core: Core,
  spec: SupervisorSpec<string>,
  nodes: Readonly<Record<string, Node>>,
): Node => {
  const fresh = (): ReadonlyArray<Member> =>
    spec.children.map(child => freshMember(child, nodes[child.id], spec.id))
  const branch: Branch = {
    core,
    spec,
    timers: new Set(),
    members: fresh(),
    phase: 'idle',
    isReady: false,
    report: null,
  }
  return {
    name: spec.id,
    start: (_readyMs, report) => {
      branch.members = fresh()
      branch.phase = 'running'
      branch.isReady = false
      branch.report = report
      advance(branch)
    },
    supersede: delayMs => {
      rest(branch, 'idle')
      for (const member of reversed(branch)) member.node.supersede(delayMs)
    },
    close: () => {
      rest(branch, 'closed')
      return reversed(branch).flatMap(member => member.node.close())
    },
    drain: limitMs => drain(branch, limitMs),
  }
}

const freshMember = (spec: ChildSpec<string>, node: Node | undefined, supervisor: string): Member => {
  if (node === undefined) throw new Error(`supervisor ${supervisor} has no member ${spec.id}`)
  return {
    spec,
    node,
    state: 'queued',
    restartsAtMs: [],
    streak: 0,
    upSinceMs: null,
    hasBeenUp: false,
    pause: null,
  }
}

const reversed = (branch: Branch): ReadonlyArray<Member> => [...branch.members].reverse()

const rest = (branch: Branch, phase: 'idle' | 'draining' | 'closed'): void => {
  branch.phase = phase
  for (const cancel of branch.timers) cancel()
  branch.timers.clear()
}

/** Starts the first member that waits, if all before it are up; tells the parent once all are. */
const advance = (branch: Branch): void => {
  if (branch.phase !== 'running') return
  for (const member of branch.members) {
    if (member.state === 'queued') return startMember(branch, member)
    if (member.state === 'starting' || member.state === 'resting') return
  }
  if (branch.isReady) return
  branch.isReady = true
  branch.report?.ready()
}

const startMember = (branch: Branch, member: Member): void => {
  member.state = 'starting'
  member.pause = null
  member.node.start(member.spec.readyMs ?? readyMsDefault, {
    ready: () => {
      if (member.state !== 'starting') return
      member.state = 'up'
      member.hasBeenUp = true
      member.upSinceMs = branch.core.clock.monotonicMs()
      advance(branch)
    },
    faulted: (cause, error) => {
      if (member.spec.restart === 'temporary') leave(branch, member)
      else replace(branch, member, cause, error)
    },
    ended: () => {
      if (member.spec.restart !== 'permanent') leave(branch, member)
      else replace(branch, member, 'ended', new Error(`${member.node.name} ended, and is permanent`))
    },
  })
}

/** The member is not to come back; the others go on. */
const leave = (branch: Branch, member: Member): void => {
  if (branch.phase !== 'running') return
  member.state = 'done'
  member.node.close()
  advance(branch)
}

const windowOf = (branch: Branch, member: Member): number => member.spec.windowMs ?? branch.spec.windowMs

const replace = (branch: Branch, member: Member, cause: RestartCause, error: unknown): void => {
  if (branch.phase !== 'running') return
  const { core, spec } = branch
  const nowMs = core.clock.monotonicMs()
  const windowMs = windowOf(branch, member)
  const wasHealthy = member.upSinceMs !== null && nowMs - member.upSinceMs >= windowMs
  member.restartsAtMs = restartsWithin(member.restartsAtMs, nowMs, windowMs)
  member.streak = wasHealthy ? 0 : member.streak
  member.upSinceMs = null
  const restarts = member.restartsAtMs.length
  if (core.rules.exceeds(restarts, member.spec.restartsMax ?? spec.restartsMax))
    return giveUp(branch, member, restarts, error)
  const delayMs = backoffMs(member.streak, core.entropy.chance())
  member.streak += 1
  core.log({ event: 'restarting', actor: member.node.name, cause, backoffMs: delayMs })
  pause(branch, member, cause, delayMs)
}

/** Takes down whom the strategy names, in reverse, and brings them back after the backoff, in order. */
const pause = (branch: Branch, faulted: Member, cause: RestartCause, delayMs: number): void => {
  const { core, members, spec } = branch
  const at = members.indexOf(faulted)
  const token = {}
  const affected = members.filter(
    (member, index) =>
      isAffected(spec.strategy, at, index) && member.state !== 'done' && member.state !== 'queued',
  )
  for (const member of [...affected].reverse()) {
    member.state = 'resting'
    member.pause = token
    member.node.supersede(delayMs)
    core.meter.restarted(member.node.name, member === faulted ? cause : 'sibling')
  }
  const cancel = core.clock.after(delayMs, () => {
    branch.timers.delete(cancel)
    resume(branch, affected, token)
  })
  branch.timers.add(cancel)
}

const resume = (branch: Branch, affected: ReadonlyArray<Member>, token: object): void => {
  for (const member of affected) {
    if (member.pause !== token) continue
    if (branch.spec.strategy === 'one_for_one' && member.hasBeenUp) startMember(branch, member)
    else member.state = 'queued'
  }
  advance(branch)
}

const giveUp = (branch: Branch, member: Member, restarts: number, error: unknown): void => {
  const { core, spec } = branch
  if (member.spec.onGiveUp === 'abandon') {
    core.log({ event: 'abandoned', actor: member.node.name, supervisor: spec.id, restarts })
    return leave(branch, member)
  }
  core.log({ event: 'escalated', supervisor: spec.id, child: member.node.name, restarts })
  core.meter.escalated(spec.id)
  rest(branch, 'idle')
  for (const each of reversed(branch)) each.node.supersede(0)
  branch.report?.faulted('escalation', error)
}

const drain = async (branch: Branch, limitMs: number): Promise<ReadonlyArray<Orphans>> => {
  const { clock } = branch.core
  const untilMs = clock.monotonicMs() + limitMs
  rest(branch, 'draining')
  const orphans: Orphans[] = []
  for (const member of reversed(branch)) {
    const leftMs = Math.max(0, untilMs - clock.monotonicMs())
    orphans.push(...(await member.node.drain(Math.min(member.spec.drainMs, leftMs))))
  }
  branch.phase = 'closed'
  return orphans
}
