import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId, Tree } from '#protocol/atoms.js'
import type { Mode } from '#protocol/host/discovery.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { type GateState, stateGoneRefusal } from '#src/domain/admin/gate-arms.js'
import type { Pushed } from '#src/ports/git.js'
import type { Landing, LandingFailure, Recovered } from '#src/ports/landing.js'
import type { JobProgress } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit, ClaimedRight, WriteActor } from '#src/writing/command.js'
import type { AdoptPorts } from './adopt.js'
import type { AfterWritePorts, PlanPorts } from './plan-on.js'

export type SetModeOutcome = Either<
  RefusalOf<'NoRepository' | 'DiskRefused' | 'Overloaded' | 'Unauthorized' | 'Forbidden'>,
  Mode
>

/** Settles the mode of the role and reports it: no write that was asked earlier is committed after the event (S18). */
export const tellRoleMode = (ports: Pick<GatePorts, 'settleRole' | 'publish'>): void => {
  const settled = ports.settleRole()
  if (settled !== null) publishMode(ports, settled, daemonActor)
}

/** The detail of a gate that a disk failure closed. */
export const diskDetail = (reason: string): string =>
  `The disk refuses writes (${reason}). Fix the disk, then POST /admin/mode with "read-write".`

/** Closes the gate when the disk accepts no more writes; reads go on (D28). */
export const closeForDisk = (ports: ModePorts, reason: string): RefusalOf<'ReadOnly'> => {
  const detail = diskDetail(reason)
  changeMode(ports, { mode: 'ReadOnly', detail }, daemonActor)
  return refuse('ReadOnly', detail)
}

/**
 * Reports a failed refresh of index or work tree, and closes the gate where the disk of the lore is the cause: the
 * commits themselves remain.
 */
export const reportBehind = (
  ports: ModePorts & Pick<GatePorts, 'warn'>,
  unfinished: LandingFailure | null = null,
  tree: Tree = 'lore',
): void => {
  if (unfinished === null) return
  ports.warn('refresh_failed', tree === 'lore' ? unfinished : { ...unfinished, tree })
  if (unfinished._tag === 'Disk' && tree === 'lore') closeForDisk(ports, unfinished.reason)
}

/**
 * Sets the mode. It waits in the queue with the writes: when it answers, every earlier write is settled, and
 * every later one meets the new mode (S18). Read-write is granted once the disk accepted a durable file,
 * which is written only where the repository still exists.
 */
export const setMode = async (
  ports: GatePorts,
  { mode, actor, claimed }: ModeRequest,
): Promise<SetModeOutcome> => {
  const caller = ports.admit(claimed, await ports.fresh(), ports.nowMs())
  if (isLeft(caller)) return caller
  if (mode === 'ReadOnly') {
    changeMode(ports, { mode, detail: ports.landing === null ? ports.mode.get().detail : null }, actor)
    return right(mode)
  }
  if (ports.landing === null)
    return left(
      refuse('NoRepository', 'A directory without git takes no writes; run `git init` and start again.'),
    )
  if (!(await ports.landing.stands())) return left(refuse('DiskRefused', goneDetail))
  if (ports.arms().stateGone === true) return left(stateGoneRefusal())
  const reason = (await ports.landing.prove()) ?? (await stillOpen(ports.landing))
  if (reason !== null) return left(refuse('DiskRefused', closeForDisk(ports, reason).detail))
  changeMode(ports, { mode, detail: null }, actor)
  return right(mode)
}

/** The mode of the host. Any part reads it; the gate and the role of the host set it. It outlives the actor. */
export interface ModeCell {
  readonly get: () => { readonly mode: Mode; readonly detail: string | null }
  readonly set: (state: { readonly mode: Mode; readonly detail: string | null }) => void
}

/** What the gate needs of the outside world. */
export interface GatePorts extends AfterWritePorts, PlanPorts {
  readonly adoption: AdoptPorts
  /** The current state of the arms. */
  readonly arms: () => GateState
  /** The snapshot of what HEAD names at this moment; null where HEAD cannot be read. */
  readonly fresh: () => Promise<Snapshot | null>
  /** Checks the right of an asker again, for work that waited. */
  readonly admit: Admit
  /** Null on a plain directory. */
  readonly landing: Landing | null
  /** Pushes a commit that is on no branch here to the followed branch, as a fast-forward. */
  readonly push: (commit: CommitId, signal: AbortSignal) => Promise<Pushed>
  /**
   * Publishes a commit of a tree to readers; false where that failed within its time. The commit remains either way.
   */
  readonly published: (commit: CommitId, tree: Tree) => Promise<boolean>
  /**
   * Called with what a crash had left unfinished in a tree, for the log and the audit; writes wait until it resolves.
   */
  readonly recovered: (found: Either<LandingFailure, Recovered>, tree: Tree) => Promise<void>
  readonly mode: ModeCell
  /** Completes a change of the mode by the role of the host; null where there is none to report. */
  readonly settleRole: () => ReturnType<ModeCell['get']> | null
  /** Reports progress to the follower of a job; does nothing if it no longer follows. */
  readonly tellFollower: (follower: string, progress: JobProgress) => void
  readonly monotonicMs: () => number
  readonly newIntent: () => string
}

type ModeActor = Pick<WriteActor, 'name' | 'token'>

/** The requested mode, by whom, and by what right; the gate checks the right when its turn comes. */
interface ModeRequest {
  readonly mode: Mode
  readonly actor: ModeActor
  readonly claimed: ClaimedRight
}

type ModePorts = Pick<GatePorts, 'mode' | 'publish'>

type ModeState = ReturnType<ModePorts['mode']['get']>

const publishMode = (
  { publish }: Pick<ModePorts, 'publish'>,
  { mode, detail }: ModeState,
  { name: actor, token }: ModeActor,
): void =>
  publish('mode:changed', {
    mode,
    detail,
    actor,
    token: token?.id ?? null,
    tokenName: token?.name ?? null,
  })

const changeMode = (ports: ModePorts, next: ModeState, actor: ModeActor): void => {
  ports.mode.set(next)
  publishMode(ports, next, actor)
}

/** The actor of a mode that no person set. */
const daemonActor: ModeActor = { name: 'daemon' }

const goneDetail =
  'The repository was moved, removed or replaced while this host served it, so the mode was not changed. ' +
  'Put the repository back first.'

/**
 * Completes what a fault left unfinished. A person's lock may prevent it; then the next write does it.
 * Returns the reason where the disk refuses, otherwise null.
 */
const stillOpen = async (landing: Landing): Promise<string | null> => {
  const found = await landing.recover()
  return isLeft(found) && found.left._tag === 'Disk' ? found.left.reason : null
}
