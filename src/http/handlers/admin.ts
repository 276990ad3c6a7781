import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { type CapabilityId, type Day, instantOf } from '#protocol/atoms.js'
import { adminRoutes } from '#protocol/host/admin.js'
import type { JobKind, JobRecord, JobResult, JobStatus, jobsRoutes } from '#protocol/host/jobs.js'
import { isConverged, type SyncEnded, type SyncStatus, type TreeSync } from '#protocol/host/sync.js'
import type { syncRoutes } from '#protocol/host/sync-routes.js'
import { reindexRoutes } from '#protocol/lore/places.js'
import { awardRoutes } from '#protocol/lore/points.js'
import { searchIndexRoutes } from '#protocol/lore/search.js'
import { sessionWriteRoutes } from '#protocol/lore/session-writes.js'
import { modelRoutes } from '#protocol/models/models.js'
import type { DayOrInstant } from '#protocol/query.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { logWriteRoutes } from '#protocol/transcripts/log-writes.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import { civilDay } from '#src/domain/lore/rows/days.js'
import { actorOf, originOf } from '#src/http/checks/arrival.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { RemoteSync } from '#src/ports/git.js'
import type { Host } from '#src/ports/host.js'
import type { WriteGate } from '#src/ports/landing.js'
import type { Job, Jobs } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

export const adminHandlers: Handlers<
  typeof adminRoutes,
  Pick<Host, 'adopt' | 'jobs' | 'setMode' | 'shutdown'>
> = {
  'import.run': async ({ node, dryRun, query, caller, claimed, isCallerThere }) => {
    const origin = originOf(adminRoutes['import.run'], caller)
    if (query.async === true && !dryRun) {
      const started = await node.jobs.start('import', { _tag: 'Import', origin, claimed: claimed() })
      return isLeft(started) ? started : right({ body: started.right, status: 202 })
    }
    const adopted = await node.adopt(dryRun, origin, claimed(), { isCallerThere })
    return isLeft(adopted) ? adopted : right({ body: adopted.right })
  },
  'admin.mode.set': async ({ node, body, caller, dryRun, claimed }) => {
    const wanted = body.mode === 'read-only' ? 'ReadOnly' : 'ReadWrite'
    if (dryRun) return right({ body: { mode: wanted } })
    const set = await node.setMode(wanted, actorOf(caller), claimed())
    return isLeft(set) ? set : right({ body: { mode: set.right } })
  },
  'admin.shutdown': ({ node, dryRun }) => {
    if (!dryRun) node.shutdown()
    return right({ body: { stopped: !dryRun } })
  },
}

/**
 * The civil day of `activeOn`: an instant is converted by `server.time_zone`; if absent, the day of the
 * snapshot.
 */
export const resolveDay = (snapshot: Snapshot, asked: DayOrInstant | undefined): Day => {
  if (asked === undefined) return snapshot.day
  return typeof asked === 'string' ? asked : civilDay(asked.epochMs, snapshot.config['server.time_zone'])
}

/** The rows of jobs start none. */
interface FoundJobs {
  readonly jobs: Pick<Jobs, 'find'>
}

export const jobsHandlers: Handlers<typeof jobsRoutes, FoundJobs> = {
  'jobs.get': ({ node, path, caller }) => {
    const job = jobFor(node, caller, path.id)
    return job === null ? left(notFound) : right({ body: recordOf(job) })
  },
  'jobs.result.get': ({ node, path, caller }) => {
    const job = jobFor(node, caller, path.id)
    return job === null ? left(notFound) : right({ body: resultOf(job) })
  },
}

/**
 * Sync with the remote (A 4.5). A converge that did not do all that its mode asks is `ConvergeFailed`, which
 * has the fields of the status; one that parked a conflict is complete, and 200.
 */
export const syncHandlers: Handlers<typeof syncRoutes, RemoteSync & WriteGate> = {
  'sync.get': ({ node }) => right({ body: syncStatusOf(node) }),
  'sync.run': async ({ node, body, dryRun, caller }) => {
    if (body.acceptRewrite !== true)
      return map((status: SyncEnded) => ({ body: status }))(statusAfter(node, await node.converge()))
    if (gradeOf(caller.holds, 'admin.migrate') !== 'full')
      return left(refuse('Forbidden', mayNotAccept, { required: 'admin.migrate' }))
    if (dryRun) {
      // What it shows is what the remote has now, not at the last interval.
      const ran = await node.converge()
      const ended = statusAfter(node, ran)
      const rewrite = isLeft(ran) ? null : await node.planAccept()
      if (rewrite === null && isLeft(ended)) return ended
      return right({ body: { ...syncStatusOf(node), accepted: false, rewrite } })
    }
    const rewrite = await node.planAccept()
    const ended = statusAfter(node, await node.accept())
    return map((status: SyncStatus) => ({ body: { ...status, accepted: true, rewrite } }))(ended)
  },
}

const statusOf = ({ state }: Job): JobStatus => (state === 'queued' ? 'running' : state)

const instant = (ms: number): string => new Date(ms).toISOString()

const recordOf = (job: Job): JobRecord => ({
  id: job.id,
  kind: job.kind,
  status: statusOf(job),
  result: job.result,
  error: job.error,
  detail: job.detail,
  createdAt: instant(job.createdMs),
  endedAt: job.endedMs === null ? null : instant(job.endedMs),
})

const resultOf = (job: Job): JobResult => {
  const { id: jobId, result, error, detail } = job
  return { jobId, status: statusOf(job), result, error, detail }
}

const notFound = refuse(
  'JobNotFound',
  'This host has no such job for you: a job is on the host that started it, ended ones are kept for 7 days, ' +
    'and you see only jobs of a kind that you may start.',
)

/** The capability of the row that makes jobs of each kind. */
const capabilityOf: Readonly<Record<JobKind, CapabilityId>> = {
  import: adminRoutes['import.run'].capability,
  'locations.reindex': reindexRoutes['locations.reindex'].capability,
  'search.index.rebuild': searchIndexRoutes['search.index.rebuild'].capability,
  'session-registry.regenerate': sessionWriteRoutes['sessionRegistry.regenerate'].capability,
  'workflows.award-pu': awardRoutes['workflows.awardPu'].capability,
  'logs.fetch': logWriteRoutes['logs.fetch'].capability,
  'model.run': modelRoutes['model.runs.start'].capability,
}

/**
 * A job, if the caller holds in full the capability that starts such jobs; otherwise null, as for an unknown
 * job (S30).
 */
const jobFor = ({ jobs: known }: FoundJobs, { holds }: Pick<Caller, 'holds'>, id: string): Job | null => {
  const job = known.find(id)
  return job !== null && gradeOf(holds, capabilityOf[job.kind]) === 'full' ? job : null
}

const syncStatusOf = (node: RemoteSync & WriteGate): SyncStatus => {
  const { lastConvergeOkMs, ...sync } = node.sync()
  const trees = node.trees().map(treeSyncOf)
  return {
    ...sync,
    lastConvergeOkUtc: lastConvergeOkMs === null ? null : instantOf(lastConvergeOkMs),
    mode: node.mode(),
    modeReason: node.modeReason(),
    blocked: node.blockers(),
    ...(trees.length === 0 ? {} : { trees }),
  }
}

const treeSyncOf = ({
  tree,
  enabled,
  stale,
  remote,
  lastConvergeOkMs,
  lastAction,
  lastDetail,
  unpublished,
  parked,
}: ReturnType<RemoteSync['trees']>[number]): TreeSync => ({
  tree,
  enabled,
  stale,
  remote,
  lastConvergeOkUtc: lastConvergeOkMs === null ? null : instantOf(lastConvergeOkMs),
  lastAction,
  lastDetail,
  unpublished,
  parked,
})

const mayNotAccept =
  'The token lacks the capability admin.migrate, which accepting a rewritten history needs. Use a token that has it.'

const mend = 'Fix the cause, then try again. The commits stay here until they are published.'

/** The status after a converge that did all that its mode asks; the refusal of any other. */
const statusAfter = (
  node: RemoteSync & WriteGate,
  ran: Awaited<ReturnType<RemoteSync['converge']>>,
): Either<RefusalOf<'SyncDisabled' | 'Overloaded' | 'ConvergeFailed'>, SyncStatus> => {
  if (isLeft(ran)) return ran
  const status: SyncStatus = { ...syncStatusOf(node), ...ran.right }
  const { lastAction, lastDetail } = status
  if (lastAction === null || isConverged(lastAction)) return right(status)
  const why = lastDetail === null ? '' : ` (${lastDetail})`
  const { trees: _, ...lore } = status
  return left(refuse('ConvergeFailed', `The converge ended with ${lastAction}${why}. ${mend}`, lore))
}
