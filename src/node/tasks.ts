import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { absurd } from 'fp-ts/lib/function.js'
import type { PerformTask } from '#actors/job-runner.js'
import { Adoption, type AdoptRefusal } from '#protocol/host/admin.js'
import { Reindexed } from '#protocol/lore/places.js'
import { SearchRebuilt } from '#protocol/lore/search.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { ordinaryStatus, type Table } from '#protocol/route.js'
import type { AdminDeps } from '#src/http/handlers/admin.js'
import { type ReindexDeps, rebuildIndex } from '#src/http/handlers/places.js'
import type { SearchIndexDeps } from '#src/http/handlers/search.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { TellProgress } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit, TaskOf, WritePort } from '#src/writing/command.js'
import { AwardPrepared } from '#src/writing/points.js'

/** What the tasks need of the node. */
export type TaskParts = ImportParts & RebuildParts & ReindexParts & WriteParts

/** Does the work of a task, by its tag. Returns the encoded answer that the request would have had. */
export const performTaskBy =
  (parts: TaskParts): PerformTask =>
  (task, jobId, progress) => {
    switch (task._tag) {
      case 'Import':
        return performImport(parts, task, progress)
      case 'Reindex':
        return performReindex(parts, task, progress)
      case 'RebuildSearch':
        return performRebuild(parts, progress)
      case 'Write':
        return performWrite(parts, task, jobId, progress)
      default:
        return absurd(task)
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

/**
 * Makes a write; its result is the answer of the command's row, which names the job where that row does. Throws when
 * the table has no such row.
 */
const performWrite = async (
  { table, write }: WriteParts,
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
