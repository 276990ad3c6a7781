import { type Either, getOrElseW, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import type {
  JobEnded,
  JobRunnerMessage,
  JobRunnerPorts,
  PerformTask,
  StartOutcome,
} from '#actors/job-runner.js'
import { Adoption, type AdoptRefusal } from '#protocol/host/admin.js'
import { Reindexed } from '#protocol/lore/places.js'
import { SearchRebuilt } from '#protocol/lore/search.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { ordinaryStatus, type Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import type { AdminDeps, Jobs } from '#src/http/handlers/admin.js'
import { type ReindexDeps, rebuildIndex } from '#src/http/handlers/places.js'
import type { SearchIndexDeps } from '#src/http/handlers/search.js'
import { type AskFailure, ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { askTrouble } from '#src/kernel/ask-trouble.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { JobStore, TellProgress } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit, TaskOf, WritePort } from '#src/writing/command.js'
import { adoptThrough, hostWritePort, planPorts, reindexThrough } from './gate/gate.js'
import type { NodeParts } from './tree/node.js'

const startDeadlineMs = 5_000

/** The jobs as handlers use them: `start` goes through the runner, reads go to the store. */
export const jobsThrough = (runner: Ref<JobRunnerMessage>, store: JobStore): Jobs => ({
  start: async (kind, task) => {
    const asked = (replyTo: ReplyTo<StartOutcome>): JobRunnerMessage => ({
      _tag: 'Start',
      kind,
      task,
      replyTo,
    })
    const answer = await ask<JobRunnerMessage, StartOutcome>(runner, asked, startDeadlineMs)
    return getOrElseW(
      (failure: AskFailure): StartOutcome =>
        left(
          refuse(
            'Overloaded',
            `${askTrouble('the job runner', failure)}; if the job started, the log has it. Try again.`,
          ),
        ),
    )(answer)
  },
  find: store.find,
})

/** Sends the end of a job to the runner until its mailbox accepts it: a lost end would block the queue. */
const tellEnded =
  (runner: Ref<JobRunnerMessage>) =>
  async (message: JobEnded): Promise<void> => {
    await tellWhenRoom(runner, message, realClock)
  }

/** The ports of the job runner on this host. */
export const jobRunnerPorts = (parts: NodeParts): JobRunnerPorts => {
  const { checkout, followers, log, metrics, records, snapshot, tree } = parts
  return {
    store: checkout.runtime.jobs,
    clock: realClock,
    publish: records.publish,
    meter: metrics.meter,
    perform: performTaskBy({
      table: routes,
      adopt: adoptThrough(tree.doors.gate, followers),
      reindex: reindexThrough(tree.doors.gate, followers),
      write: hostWritePort(parts),
      snapshot,
      admit: planPorts(parts).admit,
      rebuildSearch: parts.search.rebuild,
    }),
    works: new Map(),
    ended: tellEnded(tree.doors.jobs),
    failed: (what, jobId, error) => log.error(what, { jobId, error }),
  }
}

type ImportParts = Pick<AdminDeps, 'adopt'>

/** Adopts the repository; its result is the answer of `POST /import`. */
const performImport = async (
  { adopt }: ImportParts,
  { origin, claimed }: TaskOf<'Import'>,
  progress: TellProgress,
): Promise<Either<AdoptRefusal, unknown>> =>
  map(Adoption.encode)(await adopt(false, origin, claimed, { progress }))

/** What the tasks need of the node. */
export type TaskParts = ImportParts & RebuildParts & ReindexParts & WriteParts

/** Does the work of a task, by its tag. Returns the encoded answer that the request would have had. */
export const performTaskBy =
  (parts: TaskParts): PerformTask =>
  (task, progress) => {
    switch (task._tag) {
      case 'Import':
        return performImport(parts, task, progress)
      case 'Reindex':
        return performReindex(parts, task, progress)
      case 'RebuildSearch':
        return performRebuild(parts, progress)
      case 'Write':
        return performWrite(parts, task, progress)
      default:
        return absurd(task)
    }
  }

type RebuildParts = Pick<SearchIndexDeps, 'rebuildSearch'>

/** Builds the search indexes; its result is the answer of `POST /search/index/rebuild`. */
const performRebuild = async (
  { rebuildSearch }: RebuildParts,
  progress: TellProgress,
): Promise<Either<Refusal, unknown>> => {
  progress({ done: 0, total: 1, detail: 'build the indexes' })
  return map(SearchRebuilt.encode)(await rebuildSearch())
}

interface ReindexParts extends Pick<ReindexDeps, 'reindex'> {
  readonly snapshot: () => Snapshot | null
  readonly admit: Admit
}

/** Rebuilds the index of places; its result is the answer of `POST /locations/reindex`. */
const performReindex = async (
  { reindex, snapshot, admit }: ReindexParts,
  task: TaskOf<'Reindex'>,
  progress: TellProgress,
): Promise<Either<Refusal, unknown>> => {
  const current = snapshot()
  if (current === null)
    return left(refuse('Starting', 'The host is still reading the lore. Try again in a second.'))
  const caller = admit(task.claimed, current, realClock.nowMs())
  if (isLeft(caller)) return caller
  return map(Reindexed.encode)(await rebuildIndex(reindex, current, task, { caller: caller.right, progress }))
}

interface WriteParts {
  readonly table: Table
  readonly write: WritePort
}

/** Makes a write; its result is the answer of the command's row. Throws when the table has no such row. */
const performWrite = async (
  { table, write }: WriteParts,
  { command }: TaskOf<'Write'>,
  progress: TellProgress,
): Promise<Either<Refusal, unknown>> => {
  const row = table[command.row]
  if (row === undefined) throw new Error(`no row is named ${command.row}`)
  progress({ done: 0, total: 1, detail: 'plan and commit' })
  const outcome = await write(command)
  if (isLeft(outcome)) return outcome
  progress({ done: 1, total: 1, detail: 'done' })
  const { status, body } = outcome.right
  return right(row.answers[status ?? ordinaryStatus(row)]?.encode(body))
}
