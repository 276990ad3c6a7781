import type { Either } from 'fp-ts/lib/Either.js'
import type { Refusal } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** A write as a pure rule: what it would change on a snapshot, or why it is refused. */
export type WritePlan<A, R extends Refusal = Refusal> = (
  snapshot: Snapshot,
  nowMs: number,
) => Either<R, ChangeSet<A>>
