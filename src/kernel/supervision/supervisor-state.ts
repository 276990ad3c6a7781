import type { Core } from '../core.js'
import type { Cancel } from '../time/clock.js'
import type { Child, ChildReport } from './child.js'
import type { ChildSpec, SupervisorPolicy, SupervisorSpec } from './supervisor-spec.js'

/** A child with its policy, before it starts. */
export interface Enlisted {
  readonly spec: ChildSpec<string>
  readonly child: Child
}

export interface Member {
  readonly spec: ChildSpec<string>
  readonly child: Child
  /**
   * `queued` waits for its turn to start, `resting` for the end of its backoff; `done` is not started again.
   */
  state: 'queued' | 'starting' | 'up' | 'resting' | 'done'
  /** Monotonic times of its restarts; the next restart drops those outside the window. */
  restartsAtMs: ReadonlyArray<number>
  /** Restarts in a row without a full window of health between them. */
  streak: number
  upSinceMs: number | null
  hasBeenUp: boolean
  /** The backoff that this member waits for; a later one replaces it. */
  pause: object | null
}

/**
 * A supervisor. `idle`: not started, or ended by its own fault or that of a sibling and not started again.
 * `running`: starts and restarts its members. `draining` and `closed`: restarts none.
 */
export interface Supervisor {
  readonly core: Core
  readonly policy: SupervisorPolicy
  /**
   * `inOrder`: a child starts when the one before is ready. `apart`: each starts at once, and the supervisor is
   * ready without them.
   */
  readonly starts: 'inOrder' | 'apart'
  readonly onAbandoned: (id: string) => void
  readonly timers: Set<Cancel>
  /** The children of the next start; those of a fixed supervisor never change. */
  enlisted: ReadonlyArray<Enlisted>
  members: ReadonlyArray<Member>
  phase: 'idle' | 'running' | 'draining' | 'closed'
  /** Whether every member has reported ready since the start. */
  isReady: boolean
  report: ChildReport | null
}

/** Creates a supervisor of the children that its spec names. Throws if one is missing. */
export const makeSupervisor = (
  core: Core,
  spec: SupervisorSpec<string>,
  children: Readonly<Record<string, Child>>,
): Supervisor => {
  const enlisted = spec.children.map(each => {
    const child = children[each.id]
    if (child === undefined) throw new Error(`supervisor ${spec.id} has no child ${each.id}`)
    return { spec: each, child }
  })
  return idleSupervisor(core, spec, { starts: 'inOrder', onAbandoned: () => undefined }, enlisted)
}

/** Creates a supervisor whose children are enlisted and dismissed while it runs; it begins with none. */
export const makeListSupervisor = (
  core: Core,
  policy: SupervisorPolicy,
  onAbandoned: (id: string) => void,
): Supervisor => idleSupervisor(core, policy, { starts: 'apart', onAbandoned }, [])

/** Creates a member for each enlisted child, none of them started. */
export const makeMembers = ({ enlisted }: Supervisor): ReadonlyArray<Member> => enlisted.map(makeMember)

/** Adds a child behind the others; it is queued. */
export const enlistChild = (supervisor: Supervisor, one: Enlisted): void => {
  supervisor.enlisted = [...supervisor.enlisted, one]
  supervisor.members = [...supervisor.members, makeMember(one)]
}

/** Removes a child from the supervisor, and returns its member; undefined where it is none. */
export const dismissChild = (supervisor: Supervisor, id: string): Member | undefined => {
  const member = supervisor.members.find(({ spec }) => spec.id === id)
  supervisor.enlisted = supervisor.enlisted.filter(({ spec }) => spec.id !== id)
  supervisor.members = supervisor.members.filter(each => each !== member)
  return member
}

/** The window in which the restarts of a child are counted: its own, else that of its supervisor. */
export const windowMsOf = ({ policy }: Supervisor, member: Member): number =>
  member.spec.windowMs ?? policy.windowMs

/** How many restarts a child may have in its window: its own number, else that of its supervisor. */
export const restartsMaxOf = ({ policy }: Supervisor, member: Member): number =>
  member.spec.restartsMax ?? policy.restartsMax

const makeMember = ({ spec, child }: Enlisted): Member => ({
  spec,
  child,
  state: 'queued',
  restartsAtMs: [],
  streak: 0,
  upSinceMs: null,
  hasBeenUp: false,
  pause: null,
})

const idleSupervisor = (
  core: Core,
  policy: SupervisorPolicy,
  { starts, onAbandoned }: Pick<Supervisor, 'starts' | 'onAbandoned'>,
  enlisted: ReadonlyArray<Enlisted>,
): Supervisor => ({
  core,
  policy,
  starts,
  onAbandoned,
  timers: new Set(),
  enlisted,
  members: enlisted.map(makeMember),
  phase: 'idle',
  isReady: false,
  report: null,
})
