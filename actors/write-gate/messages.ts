import { type Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Adoption, AdoptRefusal } from '#protocol/admin/adoption.js'
import { CommitId } from '#protocol/atoms/commit.js'
import { Mode } from '#protocol/discovery/mode.js'
import type { Refusal } from '#protocol/refusal.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import { replyTo } from '#src/kernel/actor/ref.js'
import type { TellProgress } from '#src/ports/records/jobs.js'
import { ClaimedRight, Command, WriteActor, WriteOrigin, type Written } from '#src/writing/command.js'
import type { AdoptOutcome } from './adopt.js'
import type { WriteFact } from './after-write.js'
import type { SetModeOutcome } from './mode.js'

export type WriteOutcome = Either<Refusal, Written>
export type ReindexOutcome = Either<AdoptRefusal | GateRefusal, Adoption>

/** What became of a move of the branch that another part asked for. */
export type AdvanceOutcome =
  | { readonly _tag: 'Advanced'; readonly commit: CommitId }
  /** The branch is not at `from` any more. */
  | { readonly _tag: 'Moved' }
  /** Files of the move hold uncommitted work of a person. */
  | { readonly _tag: 'Dirty'; readonly files: ReadonlyArray<string> }
  | { readonly _tag: 'Failed'; readonly reason: string }

/** The answer to a `Hold`: writes go on. */
export interface Released {
  readonly _tag: 'Released'
}

/** A move of the branch to a commit whose objects exist. */
export interface BranchMove {
  readonly from: CommitId
  readonly to: CommitId
  readonly reason: string
}

/**
 * Work that the gate runs while nothing else of this host moves the branch. It moves the branch by `advance` alone, and
 * ends soon once `signal` fires.
 */
export type HeldWork = (
  advance: (move: BranchMove) => Promise<AdvanceOutcome>,
  signal: AbortSignal,
) => Promise<void>

/** Passes by reference what this process made itself. */
const nominal = <A>(name: string, is: (u: unknown) => u is A): t.Type<A, A, unknown> =>
  new t.Type<A, A, unknown>(
    name,
    is,
    (u, context) => (is(u) ? t.success(u) : t.failure(u, context)),
    t.identity,
  )

const isEither = (u: unknown): boolean =>
  typeof u === 'object' && u !== null && '_tag' in u && (u._tag === 'Left' || u._tag === 'Right')

const AdoptOutcome = nominal('AdoptOutcome', (u): u is AdoptOutcome => isEither(u))
const ReindexOutcome = nominal('ReindexOutcome', (u): u is ReindexOutcome => isEither(u))
const WriteOutcome = nominal('WriteOutcome', (u): u is WriteOutcome => isEither(u))
const SetModeOutcome = nominal('SetModeOutcome', (u): u is SetModeOutcome => isEither(u))
const Progress = nominal('TellProgress', (u): u is TellProgress => typeof u === 'function')
const Fact = nominal('WriteFact', (u): u is WriteFact => typeof u === 'object' && u !== null && 'intent' in u)
const isWork = (u: unknown): u is HeldWork => typeof u === 'function'
const HeldWork = nominal('HeldWork', isWork)
const AdvanceOutcome = nominal(
  'AdvanceOutcome',
  (u): u is AdvanceOutcome => typeof u === 'object' && u !== null && '_tag' in u,
)

/** Plan, commit and publish a write; answered when it stands and is served, or when nothing of it does. */
export const Write = t.type({
  _tag: t.literal('Write'),
  command: Command,
  replyTo: replyTo<WriteOutcome>(),
})
export type Write = t.TypeOf<typeof Write>

/** What is to be adopted and on whose behalf; `progress` is told of each step. */
const adoption = {
  dryRun: t.boolean,
  origin: WriteOrigin,
  claimed: ClaimedRight,
  progress: Progress,
} as const

/** Run the adoption and commit what it makes. */
export const Adopt = t.type({
  _tag: t.literal('Adopt'),
  ...adoption,
  replyTo: replyTo<AdoptOutcome>(),
})
export type Adopt = t.TypeOf<typeof Adopt>

/** An adoption for a row that the arms close, asked when its turn comes (D28, S18). */
export const Reindex = t.type({
  _tag: t.literal('Reindex'),
  ...adoption,
  replyTo: replyTo<ReindexOutcome>(),
})
export type Reindex = t.TypeOf<typeof Reindex>

/** Move the branch from one commit to another whose objects exist already, such as a merge (D30). */
export const Advance = t.type({
  _tag: t.literal('Advance'),
  from: CommitId,
  to: CommitId,
  reason: t.string,
  replyTo: replyTo<AdvanceOutcome>(),
})
export type Advance = t.TypeOf<typeof Advance>

/** Run work in the place of a write: writes that come meanwhile wait. Answered when the work has ended. */
export const Hold = t.type({
  _tag: t.literal('Hold'),
  work: HeldWork,
  replyTo: replyTo<Released>(),
})
export type Hold = t.TypeOf<typeof Hold>

/** Close or open the gate; answered when every write that was asked before is settled (S18). */
export const SetMode = t.type({
  _tag: t.literal('SetMode'),
  mode: Mode,
  actor: WriteActor,
  claimed: ClaimedRight,
  replyTo: replyTo<SetModeOutcome>(),
})
export type SetMode = t.TypeOf<typeof SetMode>

export const Job = t.union([Write, Adopt, Reindex, Advance, Hold, SetMode])
/** What others may ask of the gate. */
export type Job = t.TypeOf<typeof Job>

/** To self: some writes of a batch are settled, the others are to be planned again. */
const Carried = t.type({
  _tag: t.literal('Carried'),
  settled: t.readonlyArray(t.type({ replyTo: replyTo<WriteOutcome>(), outcome: WriteOutcome })),
  deferred: t.readonlyArray(Write),
  facts: t.readonlyArray(Fact),
})
export type Carried = t.TypeOf<typeof Carried>

/** To self: what a crash left is ended, or will be tried again before the next write. */
const Recovered = t.type({ _tag: t.literal('Recovered') })
const Adopted = t.type({
  _tag: t.literal('Adopted'),
  replyTo: replyTo<AdoptOutcome>(),
  outcome: AdoptOutcome,
})
const Reindexed = t.type({
  _tag: t.literal('Reindexed'),
  replyTo: replyTo<ReindexOutcome>(),
  outcome: ReindexOutcome,
})
const Advanced = t.type({
  _tag: t.literal('AdvanceDone'),
  replyTo: replyTo<AdvanceOutcome>(),
  outcome: AdvanceOutcome,
})

const HoldDone = t.type({ _tag: t.literal('HoldDone'), replyTo: replyTo<Released>() })

const ModeSet = t.type({
  _tag: t.literal('ModeSet'),
  replyTo: replyTo<SetModeOutcome>(),
  outcome: SetModeOutcome,
})

export const WriteGateMessage = t.union(
  [
    Write,
    Adopt,
    Reindex,
    Advance,
    Hold,
    SetMode,
    ModeSet,
    Carried,
    Recovered,
    Adopted,
    Reindexed,
    Advanced,
    HoldDone,
  ],
  'WriteGateMessage',
)
export type WriteGateMessage = t.TypeOf<typeof WriteGateMessage>
