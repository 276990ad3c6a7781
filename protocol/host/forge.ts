import * as t from 'io-ts'
import type { CommitId } from '../atoms.js'
import { shortListOf } from '../list.js'
import { OutboundFailure } from './outbound.js'

/** What can be done to a job of a pipeline. */
type JobAction = 'retry' | 'play' | 'cancel'

/**
 * One call of the forge, for the configured project. Requests are merge requests; `iid` is their number in the
 * project.
 */
export type ForgeCall =
  | {
      readonly _tag: 'OpenRequest'
      readonly sourceBranch: string
      readonly targetBranch: string
      readonly title: string
      readonly description: string
    }
  /** The requests of a branch in any state, the newest first; 20 at most. */
  | { readonly _tag: 'ListRequests'; readonly sourceBranch: string }
  | { readonly _tag: 'ReadRequest'; readonly iid: number }
  /**
   * Merges the request without squashing it, if its branch is at `sha`: now, or with `whenChecksSucceed` as soon as
   * the pipeline that runs has succeeded.
   */
  | {
      readonly _tag: 'MergeRequest'
      readonly iid: number
      readonly sha: string
      readonly whenChecksSucceed?: boolean
    }
  /** Closes the request and replaces its description. */
  | { readonly _tag: 'CloseRequest'; readonly iid: number; readonly description: string }
  | {
      readonly _tag: 'StartPipeline'
      readonly ref: string
      readonly variables: Readonly<Record<string, string>>
    }
  | { readonly _tag: 'ReadPipeline'; readonly pipelineId: number }
  /** The first 100 jobs of a pipeline. */
  | { readonly _tag: 'ListJobs'; readonly pipelineId: number }
  | { readonly _tag: 'ActOnJob'; readonly jobId: number; readonly action: JobAction }
  | { readonly _tag: 'ReadTrace'; readonly jobId: number }

/** A call as HTTP; `path` is below the base and the project. */
export interface ForgeWire {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  /** JSON; null when the call has none. */
  readonly body: string | null
}

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

const ForgePipeline = t.type({ id: t.number, status: t.string, url: t.string }, 'ForgePipeline')
type ForgePipeline = t.TypeOf<typeof ForgePipeline>

const ForgeJob = t.type({ id: t.number, name: t.string, status: t.string }, 'ForgeJob')
type ForgeJob = t.TypeOf<typeof ForgeJob>

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

/** A merge of the forge: the commit of the source branch that it merged, and the commit that it made. */
export interface ForgeMerge {
  readonly tip: CommitId
  readonly commit: CommitId
}

const text = t.union([t.string, t.null])

/** The number of a request in its project. */
const Iid = t.refinement(t.number, iid => Number.isSafeInteger(iid) && iid > 0, 'Iid')

/** The fields of GitLab's merge request that this host reads. `detailed_merge_status` came with GitLab 15.6. */
export const GitlabRequest = t.intersection(
  [
    t.type({
      iid: Iid,
      web_url: t.string,
      state: t.keyof({ opened: null, closed: null, locked: null, merged: null }),
      source_branch: t.string,
      target_branch: t.string,
    }),
    t.partial({
      sha: text,
      description: text,
      /** Null where the fork is gone. */
      source_project_id: t.union([t.number, t.null]),
      target_project_id: t.number,
      detailed_merge_status: text,
      merged_at: text,
      merge_commit_sha: text,
      squash_commit_sha: text,
    }),
  ],
  'GitlabRequest',
)
export type GitlabRequest = t.TypeOf<typeof GitlabRequest>

export const GitlabPipeline = t.type({ id: t.Int, status: t.string, web_url: t.string }, 'GitlabPipeline')
export const GitlabJob = t.type({ id: t.Int, name: t.string, status: t.string }, 'GitlabJob')

/** The most entries of one page, which the forge never goes above. */
const pageMax = 100
export const GitlabRequests = shortListOf(GitlabRequest, pageMax)
export const GitlabJobs = shortListOf(GitlabJob, pageMax)
