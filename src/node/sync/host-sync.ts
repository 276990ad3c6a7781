import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type ConvergeStep, stepWords } from '#actors/repository-sync/join-remote.js'
import type {
  RepositorySyncMessage,
  SyncAnswer,
  SyncReport,
  SyncRequest,
  SyncSetup,
} from '#actors/repository-sync/state.js'
import type { Config } from '#protocol/config.js'
import type { ConvergeLint } from '#protocol/places.js'
import { refuse } from '#protocol/refusal.js'
import { syncRoutes } from '#protocol/sync/routes.js'
import { hasFetched } from '#protocol/sync.js'
import { readLintRecord } from '#src/adapters/sync/records.js'
import type { SyncDeps, SyncView } from '#src/http/handlers/sync.js'
import { type AskFailure, ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import { askTrouble } from '#src/kernel/ask-trouble.js'
import { realClock } from '#src/kernel/time/clock.js'
import { type Cell, makeCell } from '#src/snapshot/cell.js'
import { sleepMeter } from '../fleet/host-clocks.js'
import type { Checkout } from '../start/checkout.js'
import { measureSyncAge, type SyncAge } from './sync-age.js'
import { whySyncIsOff } from './why-sync-is-off.js'

/** Ends before the front refuses the request as late. */
const convergeDeadlineMs = syncRoutes['sync.run'].answerWithinMs - 10_000
const minuteMs = 60_000
/**
 * The rest of the 90 s that docs/spec/sync.md promises is for a git that ends slowly, and for counting what waits.
 */
const convergeMsMax = 85_000

/** What the node knows of its sync, also before its actor runs. */
export interface HostSync extends SyncAge {
  readonly setup: SyncSetup
  readonly report: Cell<SyncReport>
  readonly lint: Cell<ConvergeLint>
  /** The last step that a converge began, and when; its lint follows the converge. */
  readonly running: Cell<{ readonly step: ConvergeStep | 'lint'; readonly sinceMs: number }>
  readonly view: () => SyncView
  /** The refusal of a converge where sync is off. */
  readonly whyOff: string
}

/** Reads what an earlier run recorded; starts nothing. */
export const hostSync = (checkout: Checkout, config: Config): HostSync => {
  const report = makeCell<SyncReport>()
  const lint = makeCell<ConvergeLint>()
  const recorded = readLintRecord(checkout.state)
  if (recorded !== null) lint.set(recorded)
  const staleAfterMinutes = config['server.sync_max_age_min']
  const age = measureSyncAge({
    report,
    maxAgeMs: staleAfterMinutes * minuteMs,
    monotonicMs: realClock.monotonicMs,
    sleptMs: sleepMeter(),
  })
  return {
    setup: {
      publishMode: config['server.publish_mode'],
      intervalMs: checkout.isGit ? config['server.sync_interval_min'] * minuteMs : 0,
      convergeMsMax,
    },
    report,
    lint,
    running: makeCell(),
    ...age,
    whyOff: whySyncIsOff({
      isGit: checkout.isGit,
      intervalMinutes: config['server.sync_interval_min'],
      remote: config['server.sync_remote'],
    }),
    view: () => {
      const known = report.get()
      return {
        enabled: known?.enabled ?? false,
        git: checkout.isGit,
        remote: known?.remote ?? null,
        publishMode: config['server.publish_mode'],
        intervalMinutes: config['server.sync_interval_min'],
        stale: age.isStale(),
        staleAfterMinutes,
        lastConvergeOkMs: known?.lastOk?.nowMs ?? null,
        lastAction: known?.lastAction ?? null,
        lastDetail: known?.lastDetail ?? null,
        unpublished: known?.unpublished ?? null,
        request: known?.request ?? null,
        parked: known?.parked ?? [],
      }
    },
  }
}

const askSync = (
  door: Ref<RepositorySyncMessage>,
  deadlineMs: number,
  tag: SyncRequest['_tag'] = 'Sync',
): Promise<Either<AskFailure, SyncAnswer>> =>
  ask<RepositorySyncMessage, SyncAnswer>(
    door,
    (replyTo: ReplyTo<SyncAnswer>): SyncRequest => ({ _tag: tag, replyTo }),
    deadlineMs,
  )

/**
 * Returns the function that fetches the branch, by a converge that begins after the call. It answers within
 * `limitMs`: null where the branch was fetched or sync is off, otherwise why it was not fetched.
 */
export const fetchThrough =
  (door: Ref<RepositorySyncMessage>) =>
  async (limitMs: number): Promise<string | null> => {
    const answer = await askSync(door, limitMs)
    if (isLeft(answer)) return askTrouble('the sync', answer.left)
    if (answer.right._tag === 'Disabled') return null
    const { lastAction, lastDetail } = answer.right.report
    if (lastAction !== null && hasFetched(lastAction)) return null
    return `the branch was not fetched: ${lastDetail ?? lastAction ?? 'no converge has ended'}`
  }

/** What a converge waits for, and how long it has; empty where none runs. */
const describeWait = (running: HostSync['running'] | undefined, nowMs: number): string => {
  const now = running?.get() ?? null
  if (now === null || now.step === 'lint') return ''
  return ` It waits for ${stepWords[now.step]}, since ${Math.round((nowMs - now.sinceMs) / 1_000)} s.`
}

/**
 * Runs one converge for a caller, by `Sync` or `Accept`, and returns how it ended; refuses where sync is off. Where it
 * does not end in time, the refusal names the step of `running`.
 */
export const convergeThrough =
  (
    door: Ref<RepositorySyncMessage>,
    whyOff: string,
    tag: SyncRequest['_tag'] = 'Sync',
    running?: HostSync['running'],
    deadlineMs = convergeDeadlineMs,
  ): SyncDeps['converge'] =>
  async () => {
    const answer = await askSync(door, deadlineMs, tag)
    if (isLeft(answer)) {
      const wait = answer.left._tag === 'Timeout' ? describeWait(running, realClock.monotonicMs()) : ''
      const why = askTrouble('the sync', answer.left)
      return left(refuse('Overloaded', `${why}.${wait} GET /sync says how the converge ended.`))
    }
    if (answer.right._tag === 'Disabled') return left(refuse('SyncDisabled', whyOff))
    const { lastAction, lastDetail } = answer.right.report
    return right({ lastAction, lastDetail })
  }
