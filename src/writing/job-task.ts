import type { Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { JobEnvelope, JobKind } from '#protocol/jobs.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { ClaimedRight, Command, WriteOrigin } from './command.js'

/** An adoption: on whose behalf and by what right. The gate checks the right again in its turn (S30). */
const adoption = { origin: WriteOrigin, claimed: ClaimedRight } as const

/** Adopts the committed tree into format 2 (A 4.5). */
const Import = t.type({ _tag: t.literal('Import'), ...adoption })

/** Rebuilds the index of places and lists speakers without an entity (A 4.8). */
const Reindex = t.type({ _tag: t.literal('Reindex'), ...adoption })

/** Makes one write. */
const Write = t.type({ _tag: t.literal('Write'), command: Command })

/** Builds every search index of the host from nothing (B 4.4). */
const RebuildSearch = t.type({ _tag: t.literal('RebuildSearch') })

/**
 * The work of a job, as a value. The same task can come from HTTP, the chat, the command line or a timer. It
 * may contain a bearer token, as a command does: no log, record or answer may contain a task.
 */
export const JobTask = t.union([Import, Reindex, RebuildSearch, Write], 'JobTask')
export type JobTask = t.TypeOf<typeof JobTask>

/** The task with a tag. */
export type TaskOf<Tag extends JobTask['_tag']> = Extract<JobTask, { readonly _tag: Tag }>

/**
 * Starts a job, whatever asks for it. Resolves when the job is on disk, before its work begins, or with why
 * there is no job (A 2.1, D33).
 */
export type StartJob = (kind: JobKind, task: JobTask) => Promise<Either<RefusalOf<'Overloaded'>, JobEnvelope>>
