import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import type { PerformTask } from '#actors/job-runner.js'
import { Adoption, type AdoptRefusal } from '#protocol/host/admin.js'
import { Reindexed } from '#protocol/lore/places.js'
import { SearchRebuilt } from '#protocol/lore/search.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { ordinaryStatus, type Table } from '#protocol/route.js'
import { FetchSummary } from '#protocol/transcripts/log-writes.js'
import { rebuildIndex } from '#src/http/handlers/places.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { Host } from '#src/ports/host.js'
import type { TellProgress } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit, TaskOf, WritePort } from '#src/writing/command.js'
import { AwardPrepared } from '#src/writing/points.js'
import type { FetchLogs } from './archive/mass-fetch.js'

/** What the work of tasks goes through. */
export interface TaskPorts extends Pick<Host, 'adopt' | 'rebuildSearch' | 'reindex'> {
  readonly table: Table
  readonly write: WritePort
  readonly snapshot: () => Snapshot | null
  readonly admit: Admit
  readonly fetchLogs: FetchLogs
}

/** Does the work of a task, by its tag. Returns the encoded answer that the request would have had. */
export const performTaskBy =
  (ports: TaskPorts): PerformTask =>
  (task, jobId, progress, signal) => {
    switch (task._tag) {
      case 'Import':
        return performImport(ports, task, progress)
      case 'Reindex':
        return performReindex(ports, task, progress)
      case 'RebuildSearch':
        return performRebuild(ports, progress)
      case 'FetchLogs':
        return ports.fetchLogs(task, progress, signal).then(map(FetchSummary.encode))
      case 'Write':
        return performWrite(ports, task, jobId, progress)
      default:
        return absurd(task)
    }
  }

/** Adopts the repository; its result is the answer of `POST /import`. */
const performImport = async (
  { adopt }: TaskPorts,
  { origin, claimed }: TaskOf<'Import'>,
  progress: TellProgress,
): Promise<Either<AdoptRefusal, unknown>> =>
  map(Adoption.encode)(await adopt(false, origin, claimed, { progress }))

/** Builds the search indexes; its result is the answer of `POST /search/index/rebuild`. */
const performRebuild = async (
  { rebuildSearch }: TaskPorts,
  progress: TellProgress,
): Promise<Either<Refusal, unknown>> => {
  progress({ done: 0, total: 1, detail: 'build the indexes' })
  return map(SearchRebuilt.encode)(await rebuildSearch())
}

/** Rebuilds the index of places; its result is the answer of `POST /locations/reindex`. */
const performReindex = async (
  { reindex, snapshot, admit }: TaskPorts,
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

/**
 * Makes a write; its result is the answer of the command's row, which names the job where that row does. Throws when
 * the table has no such row.
 */
const performWrite = async (
  { table, write }: TaskPorts,
  { command }: TaskOf<'Write'>,
  jobId: string,
  progress: TellProgress,
): Promise<Either<Refusal, unknown>> => {
  const row = table[command.row]
  if (row === undefined) throw new Error(`no row is named ${command.row}`)
  progress({ done: 0, total: 1, detail: 'plan and commit' })
  const isNamed = AwardPrepared.is(command.prepared)
  const outcome = await write(isNamed ? { ...command, prepared: { jobId } } : command)
  if (isLeft(outcome)) return outcome
  progress({ done: 1, total: 1, detail: 'done' })
  const { status, body } = outcome.right
  return right(row.answers[status ?? ordinaryStatus(row)]?.encode(body))
}
