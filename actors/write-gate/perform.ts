import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import type { Tree } from '#protocol/atoms.js'
import { gateRefusal } from '#src/domain/admin/gate-arms.js'
import { isAwaited } from '#src/kernel/actor/ref.js'
import type { LandingFailure, Recovered } from '#src/ports/landing.js'
import type { JobProgress } from '#src/ports/records.js'
import { adopt } from './adopt.js'
import { attemptBatch, timeStep } from './land-batch.js'
import type { Adopt, WriteGateMessage as Message, ReindexOutcome, ReindexRequest } from './messages.js'
import { closeForDisk, type GatePorts, reportBehind, setMode, tellRoleMode } from './mode.js'
import { afterWrite } from './plan-on.js'
import { callerLeft } from './refusals.js'
import { advance, type Effect } from './state.js'

/** Carries out the effects of the gate: each looks, lands or reports, and decides nothing. */
export const perform =
  (ports: GatePorts) =>
  async (effect: Effect, signal: AbortSignal): Promise<ReadonlyArray<Message>> => {
    switch (effect._tag) {
      case 'Attempt':
        return [{ _tag: 'Attempted', outcome: await attemptBatch(ports, effect.writes, signal) }]
      case 'Publish': {
        const isSeen = await timeStep(ports, 'publish', () => ports.published(effect.commit, effect.tree))
        return [{ _tag: 'Published', isSeen }]
      }
      case 'Recover': {
        await onRecovered(ports, (await ports.landing?.recover()) ?? nothingOpen, 'lore')
        for (const [tree, { landing }] of ports.trees) await onRecovered(ports, await landing.recover(), tree)
        return [{ _tag: 'Recovered' }]
      }
      case 'Adopt': {
        const { replyTo } = effect.ask
        const outcome = isAwaited(replyTo)
          ? await adopt(ports.adoption, adoptionOf(ports, effect.ask), 'adoption', signal)
          : left(callerLeft())
        return [{ _tag: 'Adopted', replyTo, outcome }]
      }
      case 'Reindex': {
        const { replyTo } = effect.ask
        return [{ _tag: 'Reindexed', replyTo, outcome: await reindex(ports, effect.ask, signal) }]
      }
      case 'AfterWrite':
        await afterWrite(ports, effect.facts)
        return []
      case 'SetMode':
        return [{ _tag: 'ModeSet', replyTo: effect.ask.replyTo, outcome: await setMode(ports, effect.ask) }]
      case 'SettleRole':
        tellRoleMode(ports)
        return [{ _tag: 'RoleSettled' }]
      case 'Advance': {
        const outcome = await advance(ports, effect.ask, signal)
        return [{ _tag: 'AdvanceDone', replyTo: effect.ask.replyTo, outcome }]
      }
      case 'CountReplan':
      case 'CountResults':
      case 'TellBehind':
      case 'CloseGate':
      case 'TellLapsed':
        tell(ports, effect)
        return []
      default:
        return absurd(effect)
    }
  }

const nothingOpen: Either<LandingFailure, Recovered> = right({ landed: [], lost: [], left: [] })

/** What a crash left in one tree. One that cannot be mended closes its own rows, and the next write mends it. */
const onRecovered = async (
  ports: GatePorts,
  found: Either<LandingFailure, Recovered>,
  tree: Tree,
): Promise<void> => {
  await ports.recovered(found, tree)
  if (isLeft(found)) {
    if (found.left._tag === 'Disk' && tree === 'lore') closeForDisk(ports, found.left.reason)
    return
  }
  ports.meter.count('svc_git_recoveries_total', { kind: 'intent_found' }, found.right.landed.length)
  ports.meter.count('svc_git_recoveries_total', { kind: 'intent_lost' }, found.right.lost.length)
}

const countResults = (
  { meter }: GatePorts,
  { results: { committed, refused, unchanged, dropped } }: Extract<Effect, { _tag: 'CountResults' }>,
): void => {
  meter.count('svc_write_results_total', { result: 'committed' }, committed)
  meter.count('svc_write_results_total', { result: 'refused' }, refused)
  meter.count('svc_write_results_total', { result: 'unchanged' }, unchanged)
  meter.count('svc_write_results_total', { result: 'dropped' }, dropped)
  if (committed > 0) meter.observe('svc_write_batch_writes', {}, committed)
}

/** Reports each step of an adoption to its follower, where there is one. */
const adoptionOf = (ports: GatePorts, ask: Adopt | ReindexRequest) => {
  const { dryRun, origin, claimed, follower } = ask
  const request = { dryRun, origin, claimed }
  return follower === null
    ? request
    : { ...request, progress: (step: JobProgress) => ports.tellFollower(follower, step) }
}

const reindex = async (
  ports: GatePorts,
  ask: ReindexRequest,
  signal: AbortSignal,
): Promise<ReindexOutcome> => {
  if (!isAwaited(ask.replyTo)) return left(callerLeft())
  const closed = gateRefusal(ports.arms(), ask.dryRun)
  return closed === null ? adopt(ports.adoption, adoptionOf(ports, ask), 'reindex', signal) : left(closed)
}

type Telling = Extract<
  Effect,
  { _tag: 'CountReplan' | 'CountResults' | 'TellBehind' | 'CloseGate' | 'TellLapsed' }
>

/** Carries out an effect whose end the gate does not wait for. */
const tell = (ports: GatePorts, effect: Telling): void => {
  switch (effect._tag) {
    case 'CountReplan':
      return ports.meter.count('svc_write_replans_total', {})
    case 'CountResults':
      return countResults(ports, effect)
    case 'TellBehind':
      return reportBehind(ports, effect.failure, effect.tree)
    case 'CloseGate':
      return void closeForDisk(ports, effect.reason)
    case 'TellLapsed':
      return ports.warn('lease_lapsed', { lease: effect.lease })
    default:
      return absurd(effect)
  }
}
