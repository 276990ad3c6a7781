import * as t from 'io-ts'
import { Instant } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { refusalRow as row } from '../refusal-row.js'

export const TakeoverWanted = t.partial(
  { reason: t.string, target: t.string, force: t.boolean },
  'TakeoverWanted',
)

/** Failures that only a person can mend, or another version of the topology. */
export const LastingFailure = t.keyof(
  { vetoed: null, foreign_claim: null, conflicting: null },
  'LastingFailure',
)

/**
 * `status` and `requestedUtc` are those of the job that the town has already; absent where it is new.
 * `earlierFailure`: how the last job for this version of the topology failed, where the next one fails as well until
 * a person acts.
 */
export const TakeoverAccepted = t.intersection(
  [
    t.type({ accepted: t.literal(true), target: t.string, queued: t.boolean }),
    t.partial({
      status: t.keyof({ queued: null, running: null }),
      requestedUtc: Instant,
      earlierFailure: LastingFailure,
    }),
  ],
  'TakeoverAccepted',
)
export type TakeoverAccepted = t.TypeOf<typeof TakeoverAccepted>

/** The number of a request. */
const Iid = t.refinement(t.number, iid => Number.isSafeInteger(iid) && iid > 0, 'Iid')

/** A town as another program names it. The longest name of a town has 64 characters. */
const AnnouncedTown = t.refinement(t.string, name => name.length <= 256, 'AnnouncedTown')

/** The announcement of a flip, as another program sends it. */
export const FlipAnnounced = t.intersection(
  [
    t.type({ event: t.literal('role-flip'), newPrimary: AnnouncedTown }),
    t.partial({ mrIid: Iid, epochUtc: Instant }),
  ],
  'FlipAnnounced',
)

export const AnnouncementRecorded = t.type(
  { recorded: t.boolean, syncScheduled: t.boolean },
  'AnnouncementRecorded',
)
export type AnnouncementRecorded = t.TypeOf<typeof AnnouncementRecorded>

/** The branch of a takeover as it was fetched. */
export interface FetchedClaim {
  readonly commit: string
  /** The apex of its file; null where the file is not a flip of that of the followed branch, and nothing else. */
  readonly apex: string | null
  /** Whether the followed branch has the commit already. */
  readonly isMerged: boolean
  /** Whether it changes the file of the fleet and no other. */
  readonly isPlain: boolean
}

/** The remote after a fetch. */
export interface FetchedClaims {
  readonly _tag: 'Claims'
  /** The followed branch and its commit. */
  readonly branch: string
  readonly tip: string
  /** The commit that last changed the file of the fleet, its blob and its text; null without such a file. */
  readonly topology: {
    readonly fence: { readonly commit: string; readonly blob: string }
    readonly text: string
  } | null
  /** Null where the remote has no such branch. */
  readonly claim: FetchedClaim | null
}

/** A commit that changes the file of the fleet, on top of `parent`, with the dates of `parent`. */
export interface ClaimCommit {
  readonly branch: string
  readonly parent: string
  /** The whole file. */
  readonly text: string
  readonly message: string
}

/** The change that made a version of the topology, as git has it. */
export interface Flip {
  /** The version before it, which the branch of the takeover has its name from. */
  readonly before: { readonly commit: string; readonly term: number; readonly blob: string }
  /** Whether the message of the commit says that a takeover made it. */
  readonly isTakeover: boolean
  /** Of the merge that brought a takeover into the followed branch, if one did; else of the commit. */
  readonly dateMs: number
}

/** What a takeover job was accepted with. None of it changes while the job is worked on. */
export const TakeoverJob = t.readonly(
  t.type({
    id: t.string,
    /** The town that is to become the apex. */
    town: t.string,
    reason: t.string,
    isForced: t.boolean,
    /** The apex and the term of the topology that the decision was made on. */
    apex: t.string,
    term: t.number,
    fence: t.readonly(t.type({ commit: t.string, blob: t.string })),
    /** What this host knew when it accepted the job, as lines of Markdown. */
    evidence: t.string,
  }),
  'TakeoverJob',
)
export type TakeoverJob = t.TypeOf<typeof TakeoverJob>
export type LastingFailure = t.TypeOf<typeof LastingFailure>

/**
 * Why a job failed.
 *
 * - `superseded`: the topology changed after the job was accepted.
 * - `takeover_cooldown`: by the clock of the forge the cooldown runs; the host knew no better when it accepted.
 * - `apex_answers`: the apex answered the last probe.
 * - `vetoed`: a person closed the request. `withdrawn`: another host closed it.
 * - `foreign_claim`: the branch of the takeover changes more than the file of the fleet, or a branch is below its name.
 */
export const TakeoverFailure = t.keyof(
  {
    superseded: null,
    takeover_cooldown: null,
    apex_answers: null,
    probe_not_sent: null,
    foreign_claim: null,
    vetoed: null,
    withdrawn: null,
    conflicting: null,
    remote_failed: null,
    push_refused: null,
    forge_refused: null,
    timed_out: null,
  },
  'TakeoverFailure',
)
export type TakeoverFailure = t.TypeOf<typeof TakeoverFailure>

const text = t.string
const texts = t.readonlyArray(t.string)

/** The refusals of a takeover, in the order of their checks (A 4.10). */
export const takeoverRefusalRows = {
  actuation_unavailable: row(
    503,
    'This host cannot call the forge; `setting` is missing or unusable. Set it, and start the host again.',
    { setting: text },
  ),
  takeover_cooldown: row(
    409,
    'A takeover was merged less than `fleet.auto_failover.cooldown_hours` ago. Wait until `endsUtc`, or flip by hand.',
    { mrIid: t.union([t.number, t.null]), mrUrl: t.union([text, t.null]), endsUtc: text },
  ),
  target_ineligible: row(
    422,
    'The target cannot become the apex, for all of `reasons`. Name another one; `force` does not change it.',
    { target: text, reasons: texts },
  ),
  no_candidate: row(
    422,
    'No town can become the apex; `rejections` has the reasons of each. Remove the reasons of one of them.',
    { rejections: t.readonlyArray(t.type({ town: text, reasons: texts })) },
  ),
  not_corroborated: row(
    422,
    'This host does not see the apex dark for `needed` probes in a row. Wait, or send `force`.',
    { apex: text, misses: t.number, needed: t.number },
  ),
} as const

export const takeoverDescriptions: Descriptions = {
  TakeoverWanted: {
    reason: 'Why the role is taken over, at most 500 characters; it stands in the request of the forge.',
    target: 'Town that becomes the apex; without it the first candidate.',
    force: 'True to take over from an apex that this host does not see dark.',
  },
  TakeoverAccepted: {
    accepted: 'Always true.',
    target: 'Town that becomes the apex.',
    queued: 'False when the town already has a job, which stays as it is.',
    status: 'Status of the job that the town has already.',
    requestedUtc: 'When that job was requested, ISO 8601 in UTC.',
    earlierFailure:
      'How the last job for this version of the file failed, where a job fails again until a person acts.',
  },
  FlipAnnounced: {
    event: 'Kind of the announcement.',
    newPrimary: 'Town that is said to be the apex.',
    mrIid: 'Number of the merged request.',
    epochUtc: 'When the role changed, ISO 8601 in UTC.',
  },
  AnnouncementRecorded: {
    recorded: 'True; false for a dry run.',
    syncScheduled: 'True when sync is enabled, so that a converge begins soon.',
  },
}
