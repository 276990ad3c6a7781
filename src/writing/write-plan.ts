import type { Either } from 'fp-ts/lib/Either.js'
import type { Refusal } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** A pure rule of a write: returns the change set on a snapshot, or the refusal. */
export type WritePlan<A, R extends Refusal = Refusal> = (
  snapshot: Snapshot,
  nowMs: number,
) => Either<R, ChangeSet<A>>
