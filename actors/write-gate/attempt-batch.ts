import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { isDamage } from '#src/domain/admin/blockers.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import { isAwaited } from '#src/kernel/actor/ref.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { PlannedBatch } from '#src/writing/batch/plan-batch.js'
import type { Command } from '#src/writing/command.js'
import { checkoutBlocked, headUnread } from './git-refusals.js'
import { type LandedBatch, landBatch } from './land-batch.js'
import type { AttemptOutcome, SettledWrite, Write } from './messages.js'
import { type PlanPorts, planOn } from './plan-on.js'
import type { GatePorts } from './ports.js'
import { callerLeft, dirtyRefusal } from './refusals.js'

const nothingLanded: LandedBatch = {
  commits: new Map(),
  dirty: [],
  refused: [],
  facts: [],
  unfinished: null,
}

/**
 * The entries of the writes that were refused, change nothing, met dirty files or were committed. A deferred
 * write gets none.
 */
const settledOf = (
  { commit: head }: Snapshot,
  planned: PlannedBatch<Command>,
  landed: LandedBatch,
): ReadonlyArray<SettledWrite> => [
  ...[...planned.refused, ...landed.refused].map(({ at, refusal }) => ({
    at,
    commit: null,
    outcome: left(refusal),
  })),
  ...planned.same.map(({ at, set: { status = null, answer: body } }) => ({
    at,
    commit: null,
    outcome: right({ status, body, commit: head }),
  })),
  ...landed.dirty.map(({ at, files }) => ({ at, commit: null, outcome: left(dirtyRefusal(files)) })),
  ...planned.ready.flatMap(({ at, set: { status = null, answer: body } }) => {
    const commit = landed.commits.get(at)
    return commit === undefined ? [] : [{ at, commit, outcome: right({ status, body, commit }) }]
  }),
]

type AskedWrite = Pick<Write, 'command' | 'replyTo'>

/** The writes of a batch, sorted by whether their callers still wait; `at` is the place in the batch. */
const sortByCaller = (writes: ReadonlyArray<AskedWrite>) => {
  const awaited: Array<{ readonly at: number; readonly command: Command }> = []
  const dropped: Array<SettledWrite> = []
  for (const [at, { command, replyTo }] of writes.entries())
    if (isAwaited(replyTo)) awaited.push({ at, command })
    else dropped.push({ at, commit: null, outcome: left(callerLeft()), isDropped: true })
  return { awaited, dropped }
}

/** Plans the writes; a damaged object of git that a plan reads refuses them by its code. */
const planWhole = async (
  ...given: Parameters<typeof planOn>
): Promise<Either<Refusal, Awaited<ReturnType<typeof planOn>>>> => {
  try {
    return right(await planOn(...given))
  } catch (error) {
    if (!(error instanceof Error && isDamage(error.message))) throw error
    return left(checkoutBlocked('object_damaged', 'An object of git that the write needs cannot be read'))
  }
}

/** The ports of an attempt at a batch. */
export type BatchPorts = PlanPorts &
  Pick<GatePorts, 'admit' | 'landing' | 'fresh' | 'arms' | 'newIntent' | 'meter' | 'monotonicMs'>

/** Runs a step and records its seconds in `svc_write_step_seconds`. A step that rejects is not recorded. */
export const timeStep = async <A>(
  ports: Pick<GatePorts, 'monotonicMs' | 'meter'>,
  step: string,
  work: () => Promise<A>,
): Promise<A> => {
  const beganMs = ports.monotonicMs()
  const done = await work()
  ports.meter.observe('svc_write_step_seconds', { step }, (ports.monotonicMs() - beganMs) / 1000)
  return done
}

/**
 * Attempts a batch once: loads HEAD, checks the arms, drops the writes whose callers have left, plans the
 * others on that snapshot and commits those that are ready. A write that was planned lands even if its caller
 * leaves. It never retries: `decideBatch` decides what follows. Rejects when a port rejects.
 *
 * `Refused`: the host has no git, an arm is closed, or HEAD cannot be read. No command was planned.
 *
 * `Failed`: the landing failed, and nothing was committed.
 *
 * `Settled`: one entry for each write that was committed, refused or dropped, met dirty files, or changes
 * nothing (it is answered with the commit of the snapshot). A write that `planBatch` deferred has no entry, and
 * the gate plans it again. `facts` has one item for each commit. `unfinished` concerns index and work tree,
 * not the commands.
 */
export const attemptBatch = async (
  ports: BatchPorts,
  writes: ReadonlyArray<AskedWrite>,
  signal: AbortSignal,
): Promise<AttemptOutcome> => {
  const { landing } = ports
  if (landing === null)
    return {
      _tag: 'Refused',
      refusal: refuse(
        'ReadOnly',
        'This host serves a directory without git, so it takes no writes. Run `git init` and start it again.',
      ),
    }
  const snapshot = await timeStep(ports, 'look', ports.fresh)
  const closed = gateRefusal(ports.arms(), false)
  if (snapshot === null) return { _tag: 'Refused', refusal: closed ?? headUnread() }
  if (closed !== null) return { _tag: 'Refused', refusal: closed }
  const { awaited, dropped } = sortByCaller(writes)
  const plan = await planWhole(
    ports,
    snapshot,
    awaited.map(({ command }) => command),
  )
  if (isLeft(plan)) return { _tag: 'Refused', refusal: plan.left }
  const planned = plan.right
  const landed =
    planned.batch.ready.length === 0
      ? right(nothingLanded)
      : await timeStep(ports, 'land', () => landBatch(ports, landing, snapshot, planned, signal))
  if (isLeft(landed)) return { _tag: 'Failed', failure: landed.left }
  const { facts, unfinished } = landed.right
  const settled = settledOf(snapshot, planned.batch, landed.right).flatMap(one => {
    const write = awaited[one.at]
    return write === undefined ? [] : [{ ...one, at: write.at }]
  })
  return { _tag: 'Settled', settled: [...settled, ...dropped], facts, unfinished }
}
