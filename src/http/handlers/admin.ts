import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { CapabilityId, Day } from '#protocol/atoms.js'
import { type Adoption, type AdoptRefusal, adminRoutes } from '#protocol/host/admin.js'
import type { Mode } from '#protocol/host/discovery.js'
import type { JobKind, JobRecord, JobResult, JobStatus, jobsRoutes } from '#protocol/host/jobs.js'
import { reindexRoutes } from '#protocol/lore/places.js'
import { awardRoutes } from '#protocol/lore/points.js'
import { searchIndexRoutes } from '#protocol/lore/search.js'
import { sessionWriteRoutes } from '#protocol/lore/session-writes.js'
import type { DayOrInstant } from '#protocol/query.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import { civilDay } from '#src/domain/lore/rows/days.js'
import { actorOf, originOf } from '#src/http/checks/arrival.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Job, JobStore, TellProgress } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { ClaimedRight, StartJob, WriteActor, WriteOrigin } from '#src/writing/command.js'

/** How the asker of an adoption follows it. */
export interface AdoptionFollow {
  /** Receives each step. If absent, the steps are not reported. */
  readonly progress?: TellProgress
  /** Whether the caller still waits: the gate drops an adoption that it has not begun when its caller leaves. */
  readonly isCallerThere?: () => boolean
}

/** Runs an adoption through the write gate. */
export type Adopting<R> = (
  dryRun: boolean,
  origin: WriteOrigin,
  claimed: ClaimedRight,
  follow?: AdoptionFollow,
) => Promise<Either<R, Adoption>>

export interface AdminDeps {
  readonly jobs: Pick<Jobs, 'start'>
  /** Adopts a legacy repository through the write gate (A 4.5); its arms do not apply (A 4.1.3). */
  readonly adopt: Adopting<AdoptRefusal>
  /** Sets the mode after every write that was asked before; resolves when those are settled (S18). */
  readonly setMode: (
    mode: Mode,
    actor: WriteActor,
    claimed: ClaimedRight,
  ) => Promise<
    Either<RefusalOf<'NoRepository' | 'DiskRefused' | 'Overloaded' | 'Unauthorized' | 'Forbidden'>, Mode>
  >
  /** Starts the shutdown, as SIGTERM does; running requests are still answered. */
  readonly shutdown: () => void
}

export const adminHandlers: Handlers<typeof adminRoutes, AdminDeps> = {
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

/** The jobs of this host (A 2.1, D33). */
export interface Jobs {
  readonly start: StartJob
  readonly find: JobStore['find']
  /** An id for `keep`. */
  readonly newId: () => string
  /**
   * Records work that a request did and that is done, as a job that has ended; `result` is the encoded answer. The disk
   * may refuse it: then the log says so, and there is no job.
   */
  readonly keep: (id: string, kind: JobKind, result: unknown) => void
}

export interface JobsDeps {
  readonly jobs: Pick<Jobs, 'find'>
}

export const jobsHandlers: Handlers<typeof jobsRoutes, JobsDeps> = {
  'jobs.get': ({ node, path, caller }) => {
    const job = jobFor(node, caller, path.id)
    return job === null ? left(notFound) : right({ body: recordOf(job) })
  },
  'jobs.result.get': ({ node, path, caller }) => {
    const job = jobFor(node, caller, path.id)
    return job === null ? left(notFound) : right({ body: resultOf(job) })
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
}

/**
 * A job, if the caller holds in full the capability that starts such jobs; otherwise null, as for an unknown
 * job (S30).
 */
const jobFor = ({ jobs: known }: JobsDeps, { holds }: Pick<Caller, 'holds'>, id: string): Job | null => {
  const job = known.find(id)
  return job !== null && gradeOf(holds, capabilityOf[job.kind]) === 'full' ? job : null
}
