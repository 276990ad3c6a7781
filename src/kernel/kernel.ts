import type { ActorReading, SupervisorReading, SupervisorState } from '#protocol/host/kernel.js'
import type { Actor, Tagged } from './actor/actor.js'
import { type KernelLog, silentLog } from './actor/record.js'
import type { Ref } from './actor/ref.js'
import type { Tally } from './actor/tally.js'
import { actorRefOf } from './actor-runtime/admission.js'
import { eraseActor } from './actor-runtime/behaviour.js'
import { sendHeartbeat } from './actor-runtime/heartbeat.js'
import { childOf } from './actor-runtime/life.js'
import { isBalanced, readActor } from './actor-runtime/reading.js'
import { type ActorRuntime, makeRuntime } from './actor-runtime/runtime.js'
import type { Core } from './core.js'
import { type Entropy, realEntropy } from './entropy.js'
import { containFailures, containMeterFailures, type KernelMeter, silentMeter } from './meter.js'
import { openEngine } from './nact.js'
import { type KernelRules, rules } from './rules.js'
import { type ActorTree, type GiveUp, runTree } from './run-tree.js'
import type { Child } from './supervision/child.js'
import { restartsInWindow } from './supervision/restart-policy.js'
import { addChild, removeChild, superviseChildren } from './supervision/supervisor.js'
import type { ChildPolicy, SupervisorPolicy, SupervisorSpec } from './supervision/supervisor-spec.js'
import {
  type Member,
  makeListSupervisor,
  makeSupervisor,
  restartsMaxOf,
  type Supervisor,
  windowMsOf,
} from './supervision/supervisor-state.js'
import { type Cancel, type KernelClock, realClock } from './time/clock.js'
import { nextLoopTurn } from './time/loop-turn.js'

export interface KernelOptions {
  readonly clock?: KernelClock
  readonly entropy?: Entropy
  readonly meter?: KernelMeter
  readonly log?: KernelLog
  /**
   * Decodes every message with its actor's codec before the actor receives it; a message that does not decode
   * becomes an `undecodable` dead letter. For tests and simulation. Off by default: then the kernel trusts
   * the types of the senders, and the code that reads bytes or receives from a thread decodes there
   * (ADR 1004).
   */
  readonly checkMessages?: boolean
  /** How often each mailbox gets a heartbeat; an actor without an echo for `stuckMs` is stuck. */
  readonly heartbeatMs?: number
  readonly stuckMs?: number
  /** For the simulation, which plants bugs in them. */
  readonly rules?: KernelRules
}

/** A placed actor. Its ref exists before its ports, so ports may hold refs. */
export interface ActorPlace<M, P> {
  readonly ref: Ref<M>
  readonly with: (ports: P) => Child
}

export interface Kernel {
  readonly place: <S, M extends Tagged, E extends Tagged, P>(actor: Actor<S, M, E, P>) => ActorPlace<M, P>
  readonly group: <Id extends string>(spec: SupervisorSpec<Id>, members: Members<Id>) => Child
  /**
   * Makes a group whose children follow a list. The name of an actor that leaves the list is free again, and the
   * actor leaves the readings and the tallies.
   */
  readonly list: (spec: ChildListSpec) => ChildList
  readonly run: <Id extends string>(
    spec: SupervisorSpec<Id>,
    members: Members<Id>,
    onGiveUp: (notice: GiveUp) => void,
  ) => ActorTree
  /** One reading for each actor, in the order of `place`; the gauges derive from it. */
  readonly readings: () => ReadonlyArray<ActorReading>
  /** One reading for each supervisor, in the order of `group`, `list` and `run`. */
  readonly supervisorReadings: () => ReadonlyArray<SupervisorReading>
  /** The actors of which a message was lost: their counts do not add up (S33). Empty unless the kernel is wrong. */
  readonly findUnbalanced: () => ReadonlyArray<string>
  /** The message counts of each actor (S33). */
  readonly tallies: () => ReadonlyMap<string, Readonly<Tally>>
  /**
   * Resolves when no turn is due: everything that remains waits for time or for something outside. For tests.
   */
  readonly settle: () => Promise<void>
}

/** Creates a kernel, which places actors and runs trees of them. It never ends the process. */
export const openKernel = (options: KernelOptions = {}): Kernel => {
  const core = makeCore(options)
  const actors = new Map<string, ActorRuntime>()
  const supervisors: Supervisor[] = []
  const heartbeatMs = options.heartbeatMs ?? heartbeatMsDefault
  const supervise = (spec: SupervisorSpec<string>, members: Members<string>): Child => {
    const supervisor = makeSupervisor(core, spec, members)
    supervisors.push(supervisor)
    return superviseChildren(supervisor)
  }
  return {
    place: actor => placeActor(core, actors, actor),
    group: supervise,
    list: spec => {
      const { supervisor, ...list } = makeChildList(core, spec, child => actors.delete(child.name))
      supervisors.push(supervisor)
      return list
    },
    run: (spec, members, onGiveUp) => {
      const root = supervise(spec, members)
      const stopWatch = startWatchdog(core.clock, heartbeatMs, () => actors.values())
      return runTree(core, root, containFailures(onGiveUp), stopWatch)
    },
    readings: () => [...actors.values()].map(readActor),
    supervisorReadings: () => supervisors.map(readSupervisor),
    findUnbalanced: () =>
      [...actors.values()].filter(one => !isBalanced(one)).map(({ behaviour }) => behaviour.name),
    tallies: () => new Map([...actors].map(([name, { tally }]) => [name, tally])),
    settle: () => settle(core),
  }
}

type Members<Id extends string> = Readonly<Record<NoInfer<Id>, Child>>

const heartbeatMsDefault = 5_000
const stuckMsDefault = 30_000

const makeCore = (options: KernelOptions): Core => ({
  clock: options.clock ?? realClock,
  entropy: options.entropy ?? realEntropy,
  meter: containMeterFailures(options.meter ?? silentMeter),
  log: containFailures(options.log ?? silentLog),
  engine: openEngine(),
  rules: options.rules ?? rules,
  stuckMs: options.stuckMs ?? stuckMsDefault,
  checkMessages: options.checkMessages ?? false,
})

const placeActor = <S, M extends Tagged, E extends Tagged, P>(
  core: Core,
  actors: Map<string, ActorRuntime>,
  actor: Actor<S, M, E, P>,
): ActorPlace<M, P> => {
  if (actor.name === '' || actors.has(actor.name))
    throw new Error(`an actor named "${actor.name}" is placed already`)
  let ports: { readonly given: P } | null = null
  const portsNow = (): P => {
    if (ports === null) throw new Error(`${actor.name} has no ports`)
    return ports.given
  }
  const runtime = makeRuntime(core, eraseActor(actor, portsNow, core.checkMessages))
  actors.set(actor.name, runtime)
  return {
    ref: actorRefOf(runtime),
    with: given => {
      ports = { given }
      return childOf(runtime)
    },
  }
}

const settle = async (core: Core): Promise<void> => {
  for (let quiet = 0; quiet < 2; quiet = core.engine.pendingTurns() > 0 ? 0 : quiet + 1) await nextLoopTurn()
}

/** A group whose children follow a list, one for each id. */
interface ChildListSpec {
  readonly policy: SupervisorPolicy
  /** Of each child, which has a restart budget of its own. */
  readonly childPolicy: ChildPolicy
  /** Makes the child of an id that is new on the list. */
  readonly make: (id: string) => Child
  /** Called when a child exceeded its budget and stays down, where the policy abandons it. */
  readonly onAbandoned?: (id: string) => void
}

interface ChildList {
  readonly child: Child
  /**
   * Closes the children whose ids left the list and starts one for each new id; the others run on. Before the
   * group starts it only keeps the list. Does nothing once the group drains.
   */
  readonly follow: (ids: ReadonlyArray<string>) => void
}

/** Makes the group with an empty list; `onClosed` receives the children that left it. */
const makeChildList = (
  core: Core,
  { policy, childPolicy, make, onAbandoned = () => undefined }: ChildListSpec,
  onClosed: (child: Child) => void,
): ChildList & { readonly supervisor: Supervisor } => {
  const supervisor = makeListSupervisor(core, policy, containFailures(onAbandoned))
  const current = new Map<string, Child>()
  const dismiss = (id: string, child: Child): void => {
    current.delete(id)
    removeChild(supervisor, id)
    onClosed(child)
  }
  const enlist = (id: string): void => {
    const child = make(id)
    current.set(id, child)
    addChild(supervisor, { spec: { id, ...childPolicy }, child })
  }
  return {
    supervisor,
    child: superviseChildren(supervisor),
    follow: ids => {
      if (supervisor.phase === 'draining' || supervisor.phase === 'closed') return
      const wanted = new Set(ids)
      for (const [id, child] of [...current]) if (!wanted.has(id)) dismiss(id, child)
      for (const id of wanted) if (!current.has(id)) enlist(id)
    },
  }
}

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
const readSupervisor = (supervisor: Supervisor): SupervisorReading => {
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

/**
 * Sends every actor a heartbeat each `heartbeatMs`, until cancelled. A late tick finds late echoes, so it
 * passes its delay on to the actors.
 */
const startWatchdog = (
  clock: KernelClock,
  heartbeatMs: number,
  actors: () => Iterable<ActorRuntime>,
): Cancel => {
  let cancel: Cancel
  const arm = (): void => {
    const dueMs = clock.monotonicMs() + heartbeatMs
    cancel = clock.after(heartbeatMs, () => {
      const slackMs = Math.max(0, clock.monotonicMs() - dueMs)
      arm()
      for (const actor of actors()) sendHeartbeat(actor, slackMs)
    })
  }
  arm()
  return () => cancel()
}
