import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Advance } from '#actors/repository-sync/attempt.js'
import type { SyncReport } from '#actors/repository-sync/messages.js'
import type { SyncPorts } from '#actors/repository-sync/repository-sync.js'
import { isStale, type PublishMode, type SyncSetup } from '#actors/repository-sync/state.js'
import type { AdvanceOutcome, Advance as AdvanceRequest, Job } from '#actors/write-gate/messages.js'
import type { Cell } from '#src/corpus/cell.js'
import { ask, type Ref, type ReplyTo } from '#src/kernel/ref.js'
import type { Host } from './host.js'
import { simRemote } from './sim-remote.js'
import type { Life } from './weather.js'
import type { World } from './world.js'

const advanceDeadlineMs = 120_000

export const syncSetup = (publishMode: PublishMode): SyncSetup => ({
  publishMode,
  intervalMs: 4_000,
  gcIntervalMs: 3_600_000,
})

/** Short, so that a link that is cut for a while closes the gate. */
const maxAgeMs = 6_000

/** Whether the last converge is too old to write on, as the gate's arm asks. */
export const staleness = ({ clock }: World, known: Cell<SyncReport>): (() => boolean) => {
  const bootMs = clock.monotonicMs()
  return () => isStale(known.get(), { bootMs, nowMs: clock.monotonicMs(), maxAgeMs })
}

const advanceThrough =
  (gate: Ref<Job>): Advance =>
  async (from, to, reason) => {
    const asked = (replyTo: ReplyTo<AdvanceOutcome>): AdvanceRequest => ({
      _tag: 'Advance',
      from,
      to,
      reason,
      replyTo,
    })
    const answer = await ask<Job, AdvanceOutcome>(gate, asked, advanceDeadlineMs)
    if (isLeft(answer)) return left({ _tag: 'Failed', reason: `the write gate is away: ${answer.left._tag}` })
    return answer.right._tag === 'Advanced' ? right(undefined) : left(answer.right)
  }

export const syncPorts = (
  world: World,
  host: Host,
  life: Life,
  { gate, known }: { readonly gate: Ref<Job>; readonly known: Cell<SyncReport> },
): SyncPorts => {
  const { origin, objects, weather, clock, checks } = world
  const { repository, mode } = host
  const remote = simRemote({
    life,
    repository,
    origin,
    mode,
    objects,
    weather,
    mark: world.trace.mark,
    pushed: () => checks.sync.pushed(host.name, mode),
    moved: (from, to) => checks.branches.moved('origin', from, to, [...repository.parked.values()]),
  })
  return {
    remote,
    advance: advanceThrough(gate),
    nowMs: clock.nowMs,
    timed: (_step, work) => work(),
    report: report => {
      known.set(report)
      const { head, fetched, parked } = repository
      if (!life.isOver)
        checks.sync.reported(host.name, mode, report, { head, fetched, origin: origin.head, parked })
      host.lastAction = report.lastAction
    },
    concluded: () => weather.step(life, 'conclude'),
  }
}
