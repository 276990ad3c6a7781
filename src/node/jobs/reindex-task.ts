import { type Either, isLeft, left, map } from 'fp-ts/lib/Either.js'
import { Reindexed } from '#protocol/places.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { type ReindexDeps, rebuildIndex } from '#src/http/handlers/places.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { TellProgress } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit, TaskOf } from '#src/writing/command.js'

export interface ReindexParts extends Pick<ReindexDeps, 'reindex'> {
  readonly snapshot: () => Snapshot | null
  readonly admit: Admit
}

/** Rebuilds the index of places; its result is the answer of `POST /locations/reindex`. */
export const performReindex = async (
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
