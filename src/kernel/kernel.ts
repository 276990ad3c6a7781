import type { ActorReading } from '#protocol/kernel/vocabulary.js'
import type { Actor, Tagged } from './actor/actor.js'
import { type KernelLog, type Orphans, silentLog } from './actor/record.js'
import type { Ref } from './actor/ref.js'
import type { Tally } from './actor/tally.js'
import { branchOf } from './branch.js'
import { openCell } from './cells/cell.js'
import { doorOf } from './cells/cell-door.js'
import { beatCell, nodeOf, readingOf } from './cells/cell-life.js'
import type { Core, Node } from './core.js'
import { type Entropy, realEntropy } from './entropy.js'
import { contained, containedMeter, type KernelMeter, silentMeter } from './meter.js'
import { openEngine } from './nact.js'
import { type KernelRules, rules } from './rules.js'
import type { SupervisorSpec } from './supervisor.js'
import { type Cancel, type Clock, realClock } from './time/clock.js'

export interface KernelOptions {
  readonly clock?: Clock
  readonly entropy?: Entropy
  readonly meter?: KernelMeter
  readonly log?: KernelLog
  /** How often each mailbox is asked for an echo, and after how long without one an actor is stuck. */
  readonly heartbeatMs?: number
  readonly stuckMs?: number
  /** For the simulation, which plants bugs in them. */
  readonly rules?: KernelRules
}

/** An actor in this kernel: its door is known before anybody's ports are, so ports may hold doors. */
export interface Place<M, P> {
  readonly ref: Ref<M>
  readonly with: (ports: P) => Node
}

/** What the root says when it gives up: the process should flush and leave with `exitCode` (D2). */
export interface GiveUp {
  readonly exitCode: 70
  readonly supervisor: string
  readonly error: unknown
}

export interface Tree {
  /** True once every child reported ready; false when the tree ended first. */
  readonly ready: Promise<boolean>
  /** Drains in reverse order; answers what was left over. */
  readonly drain: (limitMs: number) => Promise<ReadonlyArray<Orphans>>
  /** Ends at once. */
  readonly close: () => ReadonlyArray<Orphans>
}

export interface Kernel {
  readonly place: <S, M extends Tagged, E extends Tagged, P>(actor: Actor<S, M, E, P>) => Place<M, P>
  readonly group: <Id extends string>(spec: SupervisorSpec<Id>, members: Members<Id>) => Node
  readonly run: <Id extends string>(
    spec: SupervisorSpec<Id>,
    members: Members<Id>,
    onGiveUp: (notice: GiveUp) => void,
  ) => Tree
  /** One reading for each actor, in the order they were placed; the gauges are made of it. */
  readonly readings: () => ReadonlyArray<ActorReading>
  /** The books of each actor (S33). */
  readonly tallies: () => ReadonlyMap<string, Readonly<Tally>>
  /** Resolves when no turn is due: what remains waits for time or for the world. For tests. */
  readonly settle: () => Promise<void>
}

export type Members<Id extends string> = Readonly<Record<NoInfer<Id>, Node>>

const heartbeatMsDefault = 5_000
const stuckMsDefault = 30_000

/** What the kernel keeps of a cell whose types it does not know. */
interface Placed {
  readonly reading: () => ActorReading
  readonly beat: (slackMs: number) => void
  readonly tally: Readonly<Tally>
}

const coreOf = (options: KernelOptions): Core => ({
  clock: options.clock ?? realClock,
  entropy: options.entropy ?? realEntropy,
  meter: containedMeter(options.meter ?? silentMeter),
  log: contained(options.log ?? silentLog),
  engine: openEngine(),
  rules: options.rules ?? rules,
  stuckMs: options.stuckMs ?? stuckMsDefault,
})

/** A kernel: places actors, runs trees of them. Ends nothing but what it runs; never the process. */
export const openKernel = (options: KernelOptions = {}): Kernel => {
  const core = coreOf(options)
  const placed = new Map<string, Placed>()
  const heartbeatMs = options.heartbeatMs ?? heartbeatMsDefault
  return {
    place: actor => place(core, placed, actor),
    group: (spec, members) => branchOf(core, spec, members),
    run: (spec, members, onGiveUp) => {
      const stopWatch = watch(core, placed, heartbeatMs)
      return runTree(core, branchOf(core, spec, members), contained(onGiveUp), stopWatch)
    },
    readings: () => [...placed.values()].map(each => each.reading()),
    tallies: () => new Map([...placed].map(([name, each]) => [name, each.tally])),
    settle: () => settle(core),
  }
}

const place = <S, M extends Tagged, E extends Tagged, P>(
  core: Core,
  placed: Map<string, Placed>,
  actor: Actor<S, M, E, P>,
): Place<M, P> => {
  if (actor.name === '' || placed.has(actor.name))
    throw new Error(`an actor named "${actor.name}" is placed already`)
  let ports: (() => P) | null = null
  const cell = openCell<S, M, E>(core, {
    ...actor,
    perform: () => {
      if (ports === null) throw new Error(`${actor.name} has no ports`)
      return actor.perform(ports())
    },
  })
  placed.set(actor.name, {
    reading: () => readingOf(cell),
    beat: slackMs => beatCell(cell, slackMs),
    tally: cell.tally,
  })
  return {
    ref: doorOf(cell),
    with: given => {
      ports = () => given
      return nodeOf(cell)
    },
  }
}

/** The watchdog's ticks. One that comes late finds echoes late too, and makes allowance. */
const watch = (core: Core, placed: ReadonlyMap<string, Placed>, heartbeatMs: number): Cancel => {
  let cancel: Cancel
  const arm = (): void => {
    const dueMs = core.clock.monotonicMs() + heartbeatMs
    cancel = core.clock.after(heartbeatMs, () => {
      const slackMs = Math.max(0, core.clock.monotonicMs() - dueMs)
      arm()
      for (const each of placed.values()) each.beat(slackMs)
    })
  }
  arm()
  return () => cancel()
}

const runTree = (core: Core, root: Node, onGiveUp: (notice: GiveUp) => void, stopWatch: Cancel): Tree => {
  let settleReady: (isReady: boolean) => void = () => undefined
  const ready = new Promise<boolean>(resolve => {
    settleReady = resolve
  })
  const finish = (): void => {
    stopWatch()
    settleReady(false)
  }
  root.start(Number.POSITIVE_INFINITY, {
    ready: () => settleReady(true),
    faulted: (_cause, error) => {
      root.close()
      finish()
      core.log({ event: 'gave_up', supervisor: root.name })
      onGiveUp({ exitCode: 70, supervisor: root.name, error })
    },
    ended: () => undefined,
  })
  return {
    ready,
    drain: async limitMs => {
      const orphans = await root.drain(limitMs)
      finish()
      return orphans
    },
    close: () => {
      const orphans = root.close()
      finish()
      return orphans
    },
  }
}

const oneTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const settle = async (core: Core): Promise<void> => {
  for (let quiet = 0; quiet < 2; quiet = core.engine.pendingTurns() > 0 ? 0 : quiet + 1) await oneTurn()
}
