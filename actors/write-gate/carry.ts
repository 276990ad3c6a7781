import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import type { LandingFailure } from '#src/ports/git/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { PlannedBatch } from '#src/writing/batch/plan-batch.js'
import type { Command } from '#src/writing/command.js'
import type { WriteFact } from './after-write.js'
import { headUnread } from './git-refusals.js'
import { type LandedBatch, landBatch } from './land-batch.js'
import type { Carried, Write, WriteOutcome } from './messages.js'
import { toldBehind } from './mode.js'
import { planOn } from './plan-on.js'
import type { GatePorts } from './ports.js'
import { dirtyRefusal, failureRefusal } from './refusals.js'

/** A batch is planned anew this often when the branch moved under it: each time a person or a sync was quicker. */
const triesMax = 6

const settledOf = (
  snapshot: Snapshot,
  planned: PlannedBatch<Command>,
  landed: LandedBatch,
): ReadonlyArray<readonly [at: number, outcome: WriteOutcome]> => [
  ...planned.refused.map(({ at, refusal }) => [at, left(refusal)] as const),
  ...planned.same.map(({ at, set }) => {
    const { status = null, answer: body } = set
    return [at, right({ status, body, commit: snapshot.commit })] as const
  }),
  ...landed.dirty.map(({ at, files }) => [at, left(dirtyRefusal(files))] as const),
  ...planned.ready.flatMap(({ at, set }) => {
    const { status = null, answer: body } = set
    const commit = landed.commits.get(at)
    return commit === undefined ? [] : [[at, right({ status, body, commit })] as const]
  }),
]

const carried = (
  writes: ReadonlyArray<Write>,
  settled: ReadonlyArray<readonly [at: number, outcome: WriteOutcome]>,
  facts: ReadonlyArray<WriteFact> = [],
): Carried => {
  const outcomes = new Map(settled)
  return {
    _tag: 'Carried',
    settled: writes.flatMap(({ replyTo }, at) => {
      const outcome = outcomes.get(at)
      return outcome === undefined ? [] : [{ replyTo, outcome }]
    }),
    deferred: writes.filter((_, at) => !outcomes.has(at)),
    facts,
  }
}

const allRefused = (writes: ReadonlyArray<Write>, refusal: Refusal): Carried =>
  carried(
    writes,
    writes.map((_, at) => [at, left(refusal)] as const),
  )

/** HEAD could not be loaded, or moved at every look. */
const unreadHead = (ports: GatePorts): Refusal => gateRefusal(ports.arms(), false) ?? headUnread()

/** The commits that stand but could not be shown yet: whoever asks again must look first. */
const unseen = (commit: CommitId): Refusal =>
  refuse('Overloaded', `The write stands as commit ${commit}, but is not served yet; do not send it again.`)

const shown = async (
  ports: GatePorts,
  settled: ReadonlyArray<readonly [at: number, outcome: WriteOutcome]>,
  batch: LandedBatch,
): Promise<ReadonlyArray<readonly [at: number, outcome: WriteOutcome]>> => {
  const last = [...batch.commits.values()].at(-1)
  if (last === undefined) return settled
  if (await timed(ports, 'publish', () => ports.published(last))) return settled
  return settled.map(([at, outcome]) => {
    const commit = batch.commits.get(at)
    return [at, commit === undefined ? outcome : left(unseen(commit))] as const
  })
}

/** Tells how long a step took. */
const timed = async <A>(ports: GatePorts, step: string, work: () => Promise<A>): Promise<A> => {
  const beganMs = ports.monotonicMs()
  const done = await work()
  ports.meter.observe('svc_write_step_seconds', { step }, (ports.monotonicMs() - beganMs) / 1000)
  return done
}

const countResults = ({ meter }: GatePorts, { settled, facts }: Carried): void => {
  const refused = settled.filter(({ outcome }) => isLeft(outcome)).length
  meter.count('svc_write_results_total', { result: 'committed' }, facts.length)
  meter.count('svc_write_results_total', { result: 'refused' }, refused)
  meter.count(
    'svc_write_results_total',
    { result: 'unchanged' },
    Math.max(0, settled.length - refused - facts.length),
  )
  if (facts.length > 0) meter.observe('svc_write_batch_writes', {}, facts.length)
}

const nothingLanded: LandedBatch = { commits: new Map(), dirty: [], facts: [], unfinished: null }

const carriedOut = async (
  ports: GatePorts,
  writes: ReadonlyArray<Write>,
  signal: AbortSignal,
): Promise<Carried> => {
  const { landing } = ports
  if (landing === null)
    return allRefused(writes, refuse('ReadOnly', 'A directory without git takes no writes.'))
  let failure: LandingFailure = { _tag: 'Moved' }
  for (let tries = 0; tries < triesMax && failure._tag === 'Moved'; tries += 1) {
    const snapshot = await timed(ports, 'look', ports.fresh)
    if (snapshot === null) return allRefused(writes, unreadHead(ports))
    const closed = gateRefusal(ports.arms(), false)
    if (closed !== null) return allRefused(writes, closed)
    const planned = await planOn(
      ports,
      snapshot,
      writes.map(({ command }) => command),
    )
    if (planned.batch.ready.length === 0)
      return carried(writes, settledOf(snapshot, planned.batch, nothingLanded))
    const batch = await timed(ports, 'land', () =>
      landBatch(ports, landing, snapshot.commit, planned, signal),
    )
    if (isLeft(batch)) {
      failure = batch.left
      if (failure._tag === 'Moved') ports.meter.count('svc_write_replans_total', {})
    } else {
      toldBehind(ports, batch.right.unfinished)
      const settled = await shown(ports, settledOf(snapshot, planned.batch, batch.right), batch.right)
      return carried(writes, settled, batch.right.facts)
    }
  }
  return allRefused(writes, failureRefusal(ports, failure))
}

/** Carries out writes that waited together: plans them on HEAD, lands those that do not meet, shows them, answers. */
export const carry = async (
  ports: GatePorts,
  writes: ReadonlyArray<Write>,
  signal: AbortSignal,
): Promise<Carried> => {
  const done = await carriedOut(ports, writes, signal)
  countResults(ports, done)
  return done
}
