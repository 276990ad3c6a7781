import { type Either, left } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { TokenRef } from '#protocol/identity/named-token.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * A write as a pure rule: what it would change on a snapshot, or why it is refused. The gate calls it again on the
 * snapshot that it commits to, so it may be called any number of times and keeps nothing.
 */
export type WritePlan<A, R extends Refusal = Refusal> = (
  snapshot: Snapshot,
  nowMs: number,
) => Either<R, ChangeSet<A>>

/**
 * Why whoever asked may not any more, asked when the turn of their work comes; null lets it pass. Without a snapshot,
 * HEAD cannot be read: then the one that was shown last says (S30, ADR 0211).
 */
export type Admits = (
  snapshot: Snapshot | null,
  nowMs: number,
) => RefusalOf<'Unauthorized' | 'Forbidden'> | null

/** On whose behalf a write is made: `name` is the Gracz, or the kind of the caller where there is none. */
export interface WriteActor {
  readonly name: string
  readonly gracz: string | null
  readonly kind: string
  /** The named token that asked for it, where one did. */
  readonly token?: TokenRef
}

/** Who makes a commit, and by what. `route` is `POST /entities` or the name of a duty of the host. */
export interface WriteOrigin {
  readonly actor: WriteActor
  readonly route: string
}

/** Whether a snapshot has the commit that a caller wants. Never rejects. */
export type HasCommit = (snapshot: Snapshot) => Promise<boolean>

/** What a caller is told whose commit a snapshot does not have. */
export const commitNotHere = (): RefusalOf<'CommitNotHere'> =>
  refuse('CommitNotHere', 'This host does not have the commit yet; try again in a second.')

/** A write on its way to the gate. */
export interface WriteRequest<A, R extends Refusal = Refusal> extends WriteOrigin {
  readonly plan: WritePlan<A, R>
  /** Asked of every snapshot before the write is planned on it; without it any will do. */
  readonly hasCommit?: HasCommit
  readonly dryRun: boolean
  readonly requestId: string
}

/** The plan of a write for one snapshot: a refusal where the snapshot lacks the commit that the caller wants. */
export const planAt = async (
  { plan, hasCommit }: WriteRequest<unknown>,
  snapshot: Snapshot,
): Promise<WritePlan<unknown>> =>
  hasCommit === undefined || (await hasCommit(snapshot)) ? plan : () => left(commitNotHere())

/** A write that stands, or the preview of one. `commit` is the one it made, HEAD where nothing changed. */
export interface Written {
  readonly status: number | null
  readonly body: unknown
  readonly commit: CommitId | null
}

/** The way through the gate: resolves when the write is on disk and served, or refused (A 4.1, D28). */
export type WritePort = <A, R extends Refusal>(
  request: WriteRequest<A, R>,
) => Promise<Either<Refusal, Written>>
