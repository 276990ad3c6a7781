import type { Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Adoption, AdoptRefusal } from '#protocol/admin/adoption.js'
import { CommitId } from '#protocol/atoms/commit.js'
import { Mode } from '#protocol/discovery/mode.js'
import type { Refusal } from '#protocol/refusal.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import { replyTo } from '#src/kernel/actor/ref.js'
import type { LandingFailure } from '#src/ports/git/landing.js'
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
  /** The lease is over: nothing was done. */
  | { readonly _tag: 'Lapsed' }

/** The answer to a `Hold`: nothing but moves under this lease moves the branch until it is over. */
export interface Held {
  readonly _tag: 'Held'
}

/** The answer to a `Follow`: the lease is over, and writes go on. */
export interface LeaseOver {
  readonly _tag: 'LeaseOver'
}

/** A move of the branch to a commit whose objects exist. */
export interface BranchMove {
  readonly from: CommitId
  readonly to: CommitId
  readonly reason: string
}

/** What became of one write of a batch: `at` is its place, `commit` the one that it made. */
export interface Settled {
  readonly at: number
  readonly commit: CommitId | null
  readonly outcome: WriteOutcome
}

/** How one try at a batch ended. */
export type AttemptOutcome =
  /** Nothing was planned; no write of the batch lands. */
  | { readonly _tag: 'Refused'; readonly refusal: Refusal }
  /** Nothing was committed. */
  | { readonly _tag: 'Failed'; readonly failure: LandingFailure }
  /** Writes that are not settled are to be planned again. `unfinished`: why index or work tree are behind. */
  | {
      readonly _tag: 'Settled'
      readonly settled: ReadonlyArray<Settled>
      readonly facts: ReadonlyArray<WriteFact>
      readonly unfinished: LandingFailure | null
    }

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
const SetModeOutcome = nominal('SetModeOutcome', (u): u is SetModeOutcome => isEither(u))
const isTagged = (u: unknown): boolean => typeof u === 'object' && u !== null && '_tag' in u
const AdvanceOutcome = nominal('AdvanceOutcome', (u): u is AdvanceOutcome => isTagged(u))
const AttemptOutcome = nominal('AttemptOutcome', (u): u is AttemptOutcome => isTagged(u))

/** Plan, commit and publish a write; answered when it stands and is served, or when nothing of it does. */
export const Write = t.type({
  _tag: t.literal('Write'),
  command: Command,
  replyTo: replyTo<WriteOutcome>(),
})
export type Write = t.TypeOf<typeof Write>

/** What is to be adopted, on whose behalf and by what right; `follower` names who is told of each step, if anybody. */
const adoption = {
  dryRun: t.boolean,
  origin: WriteOrigin,
  claimed: ClaimedRight,
  follower: t.union([t.string, t.null]),
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

/**
 * Move the branch from one commit to another whose objects exist already, such as a merge (D30): in its turn among the
 * writes, or at once under a lease.
 */
export const Advance = t.type({
  _tag: t.literal('Advance'),
  from: CommitId,
  to: CommitId,
  reason: t.string,
  lease: t.union([t.string, t.null]),
  replyTo: replyTo<AdvanceOutcome>(),
})
export type Advance = t.TypeOf<typeof Advance>

/**
 * Take a lease in its turn: writes that come meanwhile wait until it is over, which is when its holder releases it, and
 * soon after `limitMs` whatever the holder does. `lease` is unique among those who ask.
 */
export const Hold = t.type({
  _tag: t.literal('Hold'),
  lease: t.string,
  limitMs: t.number,
  replyTo: replyTo<Held>(),
})
export type Hold = t.TypeOf<typeof Hold>

/** Answered when the lease is over; at once where it is no lease that stands. */
export const Follow = t.type({ _tag: t.literal('Follow'), lease: t.string, replyTo: replyTo<LeaseOver>() })
export type Follow = t.TypeOf<typeof Follow>

/** The holder needs the lease no more, or gave up waiting for it. */
export const Release = t.type({ _tag: t.literal('Release'), lease: t.string })
export type Release = t.TypeOf<typeof Release>

/** Close or open the gate; answered when every write that was asked before is settled (S18). */
export const SetMode = t.type({
  _tag: t.literal('SetMode'),
  mode: Mode,
  actor: WriteActor,
  claimed: ClaimedRight,
  replyTo: replyTo<SetModeOutcome>(),
})
export type SetMode = t.TypeOf<typeof SetMode>

/** What waits for its turn. */
export type Job = Write | Adopt | Reindex | Advance | Hold | SetMode

/** What others may ask of the gate. */
export type GateRequest = Job | Follow | Release

/** To self: how a try at the batch ended. */
const Attempted = t.type({ _tag: t.literal('Attempted'), outcome: AttemptOutcome })
export type Attempted = t.TypeOf<typeof Attempted>

/** To self: readers see the commits of the batch, or could not be shown them in time. */
const Published = t.type({ _tag: t.literal('Published'), isSeen: t.boolean })
export type Published = t.TypeOf<typeof Published>

/** To self: the time of a lease is over. */
const LeaseLapsed = t.type({ _tag: t.literal('LeaseLapsed'), lease: t.string })

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
    Follow,
    Release,
    SetMode,
    ModeSet,
    Attempted,
    Published,
    LeaseLapsed,
    Recovered,
    Adopted,
    Reindexed,
    Advanced,
  ],
  'WriteGateMessage',
)
export type WriteGateMessage = t.TypeOf<typeof WriteGateMessage>
