import type { Child, ChildReport } from './child.js'
import type { Core } from './core.js'
import type { ChildSpec, SupervisorSpec } from './supervisor-spec.js'
import type { Cancel } from './time/clock.js'

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
  readonly spec: SupervisorSpec<string>
  readonly children: Readonly<Record<string, Child>>
  readonly timers: Set<Cancel>
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
): Supervisor => ({
  core,
  spec,
  children,
  timers: new Set(),
  members: makeMembers(spec, children),
  phase: 'idle',
  isReady: false,
  report: null,
})

/** Creates a member for each child of the spec, none of them started. Throws if a child is missing. */
export const makeMembers = (
  spec: SupervisorSpec<string>,
  children: Readonly<Record<string, Child>>,
): ReadonlyArray<Member> =>
  spec.children.map(each => {
    const child = children[each.id]
    if (child === undefined) throw new Error(`supervisor ${spec.id} has no child ${each.id}`)
    return {
      spec: each,
      child,
      state: 'queued',
      restartsAtMs: [],
      streak: 0,
      upSinceMs: null,
      hasBeenUp: false,
      pause: null,
    }
  })

/** The window in which the restarts of a child are counted: its own, else that of its supervisor. */
export const windowMsOf = ({ spec }: Supervisor, member: Member): number =>
  member.spec.windowMs ?? spec.windowMs

/** How many restarts a child may have in its window: its own number, else that of its supervisor. */
export const restartsMaxOf = ({ spec }: Supervisor, member: Member): number =>
  member.spec.restartsMax ?? spec.restartsMax
