import type { Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { CommitId, Tree } from '#protocol/atoms.js'
import type { Adoption, AdoptRefusal } from '#protocol/host/admin.js'
import { Mode } from '#protocol/host/discovery.js'
import type { Refusal } from '#protocol/refusal.js'
import type { GateRefusal } from '#src/domain/admin/gate-arms.js'
import { replyTo } from '#src/kernel/actor/ref.js'
import type { LandingFailure } from '#src/ports/landing.js'
import { ClaimedRight, Command, WriteActor, WriteOrigin, type Written } from '#src/writing/command.js'
import type { AdoptOutcome } from './adopt.js'
import type { SetModeOutcome } from './mode.js'
import type { WriteFact } from './plan-on.js'

export type WriteOutcome = Either<Refusal, Written>

/** Nominal codec: passes by reference only what this process created. */
const nominal = <A>(name: string, is: (u: unknown) => u is A): t.Type<A, A, unknown> =>
  new t.Type<A, A, unknown>(
    name,
    is,
    (u, context) => (is(u) ? t.success(u) : t.failure(u, context)),
    t.identity,
  )

const isEither = (u: unknown): boolean =>
  typeof u === 'object' && u !== null && '_tag' in u && (u._tag === 'Left' || u._tag === 'Right')

export type ReindexOutcome = Either<AdoptRefusal | GateRefusal, Adoption>
const ReindexOutcome = nominal('ReindexOutcome', (u): u is ReindexOutcome => isEither(u))

const isTagged = (u: unknown): boolean => typeof u === 'object' && u !== null && '_tag' in u

/** The result of a branch move that another actor asked for. */
export type AdvanceOutcome =
  | { readonly _tag: 'Advanced'; readonly commit: CommitId }
  /** The branch is no longer at `from`. */
  | { readonly _tag: 'Moved' }
  /** Files of the move hold a person's uncommitted work. */
  | { readonly _tag: 'Dirty'; readonly files: ReadonlyArray<string> }
  | { readonly _tag: 'Failed'; readonly reason: string }
  /** The lease is over: the gate did nothing. */
  | { readonly _tag: 'Lapsed' }
const AdvanceOutcome = nominal('AdvanceOutcome', (u): u is AdvanceOutcome => isTagged(u))

/** The answer to a `Hold`: until the lease ends, only moves under it move the branch. */
export interface GateHeld {
  readonly _tag: 'Held'
}

/** The answer to a `Follow`: the lease is over, and the gate continues with writes. */
export interface LeaseOver {
  readonly _tag: 'LeaseOver'
}

/** A move of the branch to a commit whose objects exist. */
export interface BranchMove {
  readonly tree: Tree
  readonly from: CommitId
  readonly to: CommitId
  readonly reason: string
  /** Whether `to` takes the place of `from`, which is not among its ancestors. */
  readonly replaces: boolean
}

/** The result of one write of a batch: `at` is its place, `commit` the commit that it made. */
export interface SettledWrite {
  readonly at: number
  readonly commit: CommitId | null
  readonly outcome: WriteOutcome
  /** The caller left before the write was planned. */
  readonly isDropped?: true
}

/** How one attempt at a batch ended. */
export type AttemptOutcome =
  /** Nothing was planned; no write of the batch lands. */
  | { readonly _tag: 'Refused'; readonly refusal: Refusal }
  /** Nothing was committed. The writes at the places `apart` are of other trees. */
  | {
      readonly _tag: 'Failed'
      readonly failure: LandingFailure
      readonly tree: Tree
      readonly apart: ReadonlySet<number>
    }
  /** Writes that are not settled must be planned again. `unfinished`: why index or work tree are behind. */
  | {
      readonly _tag: 'Settled'
      readonly tree: Tree
      readonly settled: ReadonlyArray<SettledWrite>
      readonly facts: ReadonlyArray<WriteFact>
      readonly unfinished: LandingFailure | null
    }
const AttemptOutcome = nominal('AttemptOutcome', (u): u is AttemptOutcome => isTagged(u))

/**
 * Plans, commits and publishes a write; answered when its commit exists and is served, or when nothing was
 * committed.
 */
export const Write = t.type({
  _tag: t.literal('Write'),
  command: Command,
  /** Whether the commit goes to the remote before the branch moves (D51); such a write has a landing of its own. */
  publishes: t.boolean,
  replyTo: replyTo<WriteOutcome>(),
})
export type Write = t.TypeOf<typeof Write>

/** An adoption: on whose behalf and by what right; `follower` names the receiver of its progress, if any. */
const adoption = {
  dryRun: t.boolean,
  origin: WriteOrigin,
  claimed: ClaimedRight,
  follower: t.union([t.string, t.null]),
} as const

/** Runs the adoption and commits its result. */
export const Adopt = t.type({
  _tag: t.literal('Adopt'),
  ...adoption,
  replyTo: replyTo<AdoptOutcome>(),
})
export type Adopt = t.TypeOf<typeof Adopt>

/** An adoption for a row that the arms close; the gate checks them when its turn comes (D28, S18). */
export const ReindexRequest = t.type({
  _tag: t.literal('Reindex'),
  ...adoption,
  replyTo: replyTo<ReindexOutcome>(),
})
export type ReindexRequest = t.TypeOf<typeof ReindexRequest>

/**
 * Moves the branch of a tree from one commit to another whose objects exist already, such as a merge (D30): in its turn
 * among the writes, or at once under a lease.
 */
export const Advance = t.type({
  _tag: t.literal('Advance'),
  tree: Tree,
  from: CommitId,
  to: CommitId,
  reason: t.string,
  replaces: t.boolean,
  lease: t.union([t.string, t.null]),
  replyTo: replyTo<AdvanceOutcome>(),
})
export type Advance = t.TypeOf<typeof Advance>

/**
 * Takes a lease of the whole gate in its turn. Writes wait until it ends: when its holder releases it, and soon after
 * `limitMs` in any case. `lease` is unique among all askers.
 */
export const Hold = t.type({
  _tag: t.literal('Hold'),
  lease: t.string,
  limitMs: t.number,
  replyTo: replyTo<GateHeld>(),
})
export type Hold = t.TypeOf<typeof Hold>

/** Answered when the lease is over; at once if there is no such lease. */
export const Follow = t.type({ _tag: t.literal('Follow'), lease: t.string, replyTo: replyTo<LeaseOver>() })
export type Follow = t.TypeOf<typeof Follow>

/** The holder no longer needs the lease, or gave up waiting for it. */
export const Release = t.type({ _tag: t.literal('Release'), lease: t.string })
export type Release = t.TypeOf<typeof Release>

/** Closes or opens the gate; answered when every write that was asked before is settled (S18). */
export const SetMode = t.type({
  _tag: t.literal('SetMode'),
  mode: Mode,
  actor: WriteActor,
  claimed: ClaimedRight,
  replyTo: replyTo<SetModeOutcome>(),
})
export type SetMode = t.TypeOf<typeof SetMode>

/** The role of the host has changed its mode; in its turn, every write that was asked before is settled (S18). */
export const SettleRole = t.type({ _tag: t.literal('SettleRole') })
export type SettleRole = t.TypeOf<typeof SettleRole>

/** What waits in the queue. */
export type GateJob = Write | Adopt | ReindexRequest | Advance | Hold | SetMode | SettleRole

/** What others may send to the gate. */
export type GateRequest = GateJob | Follow | Release

/** To self: how an attempt at the batch ended. */
const Attempted = t.type({ _tag: t.literal('Attempted'), outcome: AttemptOutcome })
export type Attempted = t.TypeOf<typeof Attempted>

/** To self: readers see the commits of the batch, or publishing them failed within its time. */
const Published = t.type({ _tag: t.literal('Published'), isSeen: t.boolean })
export type Published = t.TypeOf<typeof Published>

/** To self: the time of a lease is over. */
const LeaseLapsed = t.type({ _tag: t.literal('LeaseLapsed'), lease: t.string })

/** To self: what a crash left is completed, or will be tried again before the next write. */
const Recovered = t.type({ _tag: t.literal('Recovered') })

const AdoptOutcome = nominal('AdoptOutcome', (u): u is AdoptOutcome => isEither(u))

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

/** To self: the mode is that of the role. */
const RoleSettled = t.type({ _tag: t.literal('RoleSettled') })

const SetModeOutcome = nominal('SetModeOutcome', (u): u is SetModeOutcome => isEither(u))

const ModeSet = t.type({
  _tag: t.literal('ModeSet'),
  replyTo: replyTo<SetModeOutcome>(),
  outcome: SetModeOutcome,
})

export const WriteGateMessage = t.union(
  [
    Write,
    Adopt,
    ReindexRequest,
    Advance,
    Hold,
    Follow,
    Release,
    SetMode,
    ModeSet,
    SettleRole,
    RoleSettled,
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
