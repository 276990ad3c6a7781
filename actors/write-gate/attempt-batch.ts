import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { refuse } from '#protocol/refusal.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { PlannedBatch } from '#src/writing/batch/plan-batch.js'
import type { Command } from '#src/writing/command.js'
import { headUnread } from './git-refusals.js'
import { type LandedBatch, landBatch } from './land-batch.js'
import type { AttemptOutcome, SettledWrite } from './messages.js'
import { type PlanPorts, planOn } from './plan-on.js'
import type { GatePorts } from './ports.js'
import { dirtyRefusal } from './refusals.js'

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
 * Attempts a batch once: loads HEAD, checks the arms, plans the commands on that snapshot and commits those
 * that are ready. It never retries: `decideBatch` decides what follows. Rejects when a port rejects.
 *
 * `Refused`: the host has no git, an arm is closed, or HEAD cannot be read. No command was planned.
 *
 * `Failed`: the landing failed, and nothing was committed.
 *
 * `Settled`: one entry for each command that was committed or refused, met dirty files, or changes nothing
 * (it is answered with the commit of the snapshot). A command that `planBatch` deferred has no entry, and
 * the gate plans it again. `facts` has one item for each commit. `unfinished` concerns index and work tree,
 * not the commands.
 */
export const attemptBatch = async (
  ports: BatchPorts,
  commands: ReadonlyArray<Command>,
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
  const planned = await planOn(ports, snapshot, commands)
  const landed =
    planned.batch.ready.length === 0
      ? right(nothingLanded)
      : await timeStep(ports, 'land', () => landBatch(ports, landing, snapshot, planned, signal))
  if (isLeft(landed)) return { _tag: 'Failed', failure: landed.left }
  const { facts, unfinished } = landed.right
  return { _tag: 'Settled', settled: settledOf(snapshot, planned.batch, landed.right), facts, unfinished }
}
