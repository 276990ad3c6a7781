import type { Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type JobEnvelope, JobKind } from '#protocol/jobs.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { replyTo } from '#src/kernel/actor/ref.js'
import { JobTask } from '#src/writing/command.js'

/** The envelope of a job that is on disk, or why there is no job. */
export type StartOutcome = Either<RefusalOf<'Overloaded'>, JobEnvelope>

const Outcome = t.union([
  t.type({ _tag: t.literal('Completed'), json: t.string }),
  t.type({ _tag: t.literal('Failed'), error: t.string, detail: t.string }),
])

/** Creates a job of this task; answered when it is on disk. */
const Start = t.type({
  _tag: t.literal('Start'),
  kind: JobKind,
  task: JobTask,
  replyTo: replyTo<StartOutcome>(),
})
/** To self: a job is on disk as queued, or the disk refused it. */
const Queued = t.type({ _tag: t.literal('Queued'), id: t.string })
const QueueFailed = t.type({ _tag: t.literal('QueueFailed'), id: t.string })
/** From the work of a job: it has ended. */
const JobEnded = t.type({ _tag: t.literal('Ended'), id: t.string, outcome: Outcome })
/** To self: the end of a job is on disk, or the disk refused it. */
const EndRecorded = t.type({ _tag: t.literal('EndRecorded'), id: t.string })
const EndFailed = t.type({ _tag: t.literal('EndFailed'), id: t.string, outcome: Outcome })
/** To self: the jobs that the previous runner left are settled, or the disk refused. */
const Settled = t.type({ _tag: t.literal('Settled') })
const SettleFailed = t.type({ _tag: t.literal('SettleFailed') })
const SettleAgain = t.type({ _tag: t.literal('SettleAgain') })
/** To self: it is time to delete old jobs. */
const Sweep = t.type({ _tag: t.literal('Sweep') })
const Drain = t.type({ _tag: t.literal('Drain') })

export const JobRunnerMessage = t.union(
  [
    Start,
    Queued,
    QueueFailed,
    JobEnded,
    EndRecorded,
    EndFailed,
    Settled,
    SettleFailed,
    SettleAgain,
    Sweep,
    Drain,
  ],
  'JobRunnerMessage',
)
export type JobRunnerMessage = t.TypeOf<typeof JobRunnerMessage>
export type Start = t.TypeOf<typeof Start>
export type JobEnded = t.TypeOf<typeof JobEnded>
