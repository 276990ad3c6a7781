import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { isVisible } from '#protocol/atoms.js'
import {
  type ForgeAnswer,
  type ForgeCall,
  type ForgeOutcome,
  type ForgeRequest,
  type ForgeResult,
  GitlabJob,
  GitlabJobs,
  GitlabPipeline,
  GitlabRequest,
  GitlabRequests,
} from '#protocol/forge.js'
import type { OutboundFailure } from '#protocol/outbound.js'
import { parseJson } from '#src/domain/json/parse-json.js'
import { retryAfterMs } from '#src/domain/outbound/retry-after.js'
import { isWebPage } from '#src/domain/outbound/web-page.js'

/** An answer of the forge as HTTP; `text` is null where the body cannot be read. */
export type ForgeReply =
  | {
      readonly _tag: 'Reply'
      readonly status: number
      readonly date: string | undefined
      readonly retryAfter: string | undefined
      readonly text: string | null
    }
  | { readonly _tag: 'NoReply'; readonly failure: OutboundFailure }

const instantMs = (text: string | null | undefined): number | null => {
  const atMs = Date.parse(text ?? '')
  return Number.isNaN(atMs) ? null : atMs
}

const urlCharsMax = 2_048

/** An address that a person may open; empty for any other text, such as `javascript:`, or one that does not show. */
const pageOf = (url: string): string =>
  url.length <= urlCharsMax && isVisible(url) && /^https?:\/\//.test(url) && URL.canParse(url) ? url : ''

/**
 * The merge status of a request as this host shows it. The forge uses small letters and `_`. For any other text the
 * host shows `unreadable`, and waits as for a status that it does not know.
 */
const statusOf = (status: string | null | undefined): string | null =>
  status === null || status === undefined || /^[a-z_]{1,64}$/.test(status) ? (status ?? null) : 'unreadable'

const requestOf = (wire: GitlabRequest): ForgeRequest => ({
  iid: wire.iid,
  url: pageOf(wire.web_url),
  state: wire.state,
  sourceBranch: wire.source_branch,
  targetBranch: wire.target_branch,
  sha: wire.sha ?? null,
  description: wire.description ?? '',
  mergeStatus: statusOf(wire.detailed_merge_status),
  mergedAtMs: instantMs(wire.merged_at),
  mergeCommit: wire.merge_commit_sha ?? wire.squash_commit_sha ?? null,
})

/**
 * Whether the request comes from a fork. Who may not push to the project may still open and close such a request, of a
 * branch of any name.
 */
const isFromFork = ({ source_project_id: source, target_project_id: target }: GitlabRequest): boolean =>
  source !== undefined && target !== undefined && source !== target

const decode = <A>(codec: t.Type<A, unknown>, text: string, use: (value: A) => ForgeResult): ForgeOutcome => {
  const decoded = codec.decode(parseJson(text))
  return isLeft(decoded) ? { _tag: 'Garbled', isPage: isWebPage(text) } : use(decoded.right)
}

const resultOf = (tag: ForgeCall['_tag'], text: string): ForgeOutcome => {
  switch (tag) {
    case 'OpenRequest':
    case 'ReadRequest':
    case 'MergeRequest':
    case 'CloseRequest':
      return decode(GitlabRequest, text, wire => ({ _tag: 'Request', request: requestOf(wire) }))
    case 'ListRequests':
      return decode(GitlabRequests, text, all => ({
        _tag: 'Requests',
        requests: all.filter(one => !isFromFork(one)).map(requestOf),
      }))
    case 'StartPipeline':
    case 'ReadPipeline':
      return decode(GitlabPipeline, text, ({ id, status, web_url: url }) => ({
        _tag: 'Pipeline',
        pipeline: { id, status, url },
      }))
    case 'ListJobs':
      return decode(GitlabJobs, text, all => ({
        _tag: 'Jobs',
        jobs: all.map(({ id, name, status }) => ({ id, name, status })),
      }))
    case 'ActOnJob':
      return decode(GitlabJob, text, ({ id, name, status }) => ({ _tag: 'Job', job: { id, name, status } }))
    case 'ReadTrace':
      return { _tag: 'Trace', text }
  }
}

const refusalOf = (status: number, waitMs: number | null): ForgeOutcome => {
  if (status >= 500) return { _tag: 'Faulty', status, waitMs }
  switch (status) {
    case 401:
    case 403:
      return { _tag: 'Denied', status }
    case 404:
      return { _tag: 'Missing' }
    case 405:
      return { _tag: 'NotMergeable' }
    case 409:
      return { _tag: 'Conflict' }
    case 429:
      return { _tag: 'Limited', waitMs }
    default:
      return { _tag: 'Refused', status }
  }
}

/**
 * Reads the reply to a call. A `Retry-After` that is a date is counted from the forge's own clock, or from
 * `nowMs`, the wall time, where the reply has none.
 */
export const readForgeAnswer = (tag: ForgeCall['_tag'], reply: ForgeReply, nowMs: number): ForgeAnswer => {
  if (reply._tag === 'NoReply')
    return { outcome: { _tag: 'NoAnswer', failure: reply.failure }, status: null, dateMs: null }
  const { status, text } = reply
  const dateMs = instantMs(reply.date)
  const isDone = status >= 200 && status < 300
  if (!isDone)
    return { outcome: refusalOf(status, retryAfterMs(reply.retryAfter, dateMs ?? nowMs)), status, dateMs }
  return { outcome: text === null ? { _tag: 'Garbled', isPage: false } : resultOf(tag, text), status, dateMs }
}
