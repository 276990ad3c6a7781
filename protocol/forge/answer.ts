import * as t from 'io-ts'
import { OutboundFailure } from '../outbound/failure.js'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

/** `locked` lasts only while the forge merges. */
export const RequestState = t.keyof(
  { opened: null, closed: null, locked: null, merged: null },
  'RequestState',
)
export type RequestState = t.TypeOf<typeof RequestState>

/** A merge request of the forge. */
export const ForgeRequest = t.readonly(
  t.type({
    iid: t.number,
    url: t.string,
    state: RequestState,
    sourceBranch: t.string,
    targetBranch: t.string,
    /** The tip of the source branch; null where the forge names none. */
    sha: textOrNull,
    description: t.string,
    /** `detailed_merge_status`; null on a forge that has none. */
    mergeStatus: textOrNull,
    /** On the clock of the forge. */
    mergedAtMs: numberOrNull,
    /** The commit that the merge made on the target branch; null before it, and after a fast-forward. */
    mergeCommit: textOrNull,
  }),
  'ForgeRequest',
)
export type ForgeRequest = t.TypeOf<typeof ForgeRequest>

export const ForgePipeline = t.type({ id: t.number, status: t.string, url: t.string }, 'ForgePipeline')
export type ForgePipeline = t.TypeOf<typeof ForgePipeline>

export const ForgeJob = t.type({ id: t.number, name: t.string, status: t.string }, 'ForgeJob')
export type ForgeJob = t.TypeOf<typeof ForgeJob>

/** What a call gives when the forge performs it. */
export const ForgeResult = t.union(
  [
    t.type({ _tag: t.literal('Request'), request: ForgeRequest }),
    t.type({ _tag: t.literal('Requests'), requests: t.readonlyArray(ForgeRequest) }),
    t.type({ _tag: t.literal('Pipeline'), pipeline: ForgePipeline }),
    t.type({ _tag: t.literal('Jobs'), jobs: t.readonlyArray(ForgeJob) }),
    t.type({ _tag: t.literal('Job'), job: ForgeJob }),
    t.type({ _tag: t.literal('Trace'), text: t.string }),
  ],
  'ForgeResult',
)
export type ForgeResult = t.TypeOf<typeof ForgeResult>

/**
 * What a call brings, by its status alone: texts of a forge are translated, statuses are not.
 *
 * - `Conflict`, 409: a request of the branch is open already, or the branch is not at the `sha` of the merge.
 * - `NotMergeable`, 405: not now; just after the opening the forge still checks.
 * - `Denied`, 401 or 403: the token is not valid, or may not do this.
 * - `Missing`, 404. `Refused`: any other status below 500, redirects among them.
 * - `Limited`, 429, and `Faulty`, 5xx: `waitMs` is what the answer asks for, or null.
 * - `Garbled`: the status says that it was done, but the body is not that of the contract; `isPage`: it is HTML.
 * - `NoAnswer`: unless the failure is `not_sent` or `refused`, the forge may have performed the call.
 */
export const ForgeOutcome = t.union(
  [
    ForgeResult,
    t.type({ _tag: t.literal('Conflict') }),
    t.type({ _tag: t.literal('NotMergeable') }),
    t.type({ _tag: t.literal('Denied'), status: t.union([t.literal(401), t.literal(403)]) }),
    t.type({ _tag: t.literal('Missing') }),
    t.type({ _tag: t.literal('Refused'), status: t.number }),
    t.type({ _tag: t.literal('Limited'), waitMs: numberOrNull }),
    t.type({ _tag: t.literal('Faulty'), status: t.number, waitMs: numberOrNull }),
    t.type({ _tag: t.literal('Garbled'), isPage: t.boolean }),
    t.type({ _tag: t.literal('NoAnswer'), failure: OutboundFailure }),
  ],
  'ForgeOutcome',
)
export type ForgeOutcome = t.TypeOf<typeof ForgeOutcome>

/**
 * `status` is null where no answer came. `dateMs` is the clock of the forge, from the `Date` of its answer; null
 * where it has none.
 */
export const ForgeAnswer = t.type(
  { outcome: ForgeOutcome, status: numberOrNull, dateMs: numberOrNull },
  'ForgeAnswer',
)
export type ForgeAnswer = t.TypeOf<typeof ForgeAnswer>
