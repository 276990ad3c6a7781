import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { isVisible } from '#protocol/atoms.js'
import {
  type ForgeAnswer,
  type ForgeCall,
  type ForgeOutcome,
  type ForgeRequest,
  type ForgeResult,
  type ForgeWire,
  GitlabJob,
  GitlabJobs,
  GitlabPipeline,
  GitlabRequest,
  GitlabRequests,
} from '#protocol/host/forge.js'
import type { OutboundFailure } from '#protocol/host/outbound.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { isWebPage, retryAfterMs, safeBase } from '#src/domain/outbound/outbound.js'

/**
 * The HTTP request of a call, below the address of the project. With the `projectId` the forge lists no requests of
 * forks, so that they cannot fill the page or make the answer too large.
 */
export const forgeWire = (call: ForgeCall, projectId: string | null = null): ForgeWire => {
  switch (call._tag) {
    case 'OpenRequest':
      return post('/merge_requests', {
        source_branch: call.sourceBranch,
        target_branch: call.targetBranch,
        title: call.title.slice(0, titleCharsMax),
        description: escapeCommands(call.description),
        remove_source_branch: false,
        squash: false,
      })
    case 'ListRequests': {
      const branch = encodeURIComponent(call.sourceBranch)
      const project = projectId === null ? '' : `&source_project_id=${projectId}`
      return get(
        `/merge_requests?source_branch=${branch}${project}&state=all&order_by=created_at&sort=desc&per_page=20`,
      )
    }
    case 'ReadRequest':
      return get(`/merge_requests/${call.iid}`)
    case 'MergeRequest':
      return put(`/merge_requests/${call.iid}/merge`, {
        sha: call.sha,
        squash: false,
        should_remove_source_branch: false,
        ...(call.whenChecksSucceed === true ? { merge_when_pipeline_succeeds: true } : {}),
      })
    case 'CloseRequest':
      return put(`/merge_requests/${call.iid}`, {
        state_event: 'close',
        description: escapeCommands(call.description),
      })
    case 'StartPipeline': {
      const variables = Object.entries(call.variables).map(([key, value]) => ({ key, value }))
      return post('/pipeline', { ref: call.ref, variables })
    }
    case 'ReadPipeline':
      return get(`/pipelines/${call.pipelineId}`)
    case 'ListJobs':
      return get(`/pipelines/${call.pipelineId}/jobs?per_page=100`)
    case 'ActOnJob':
      return post(`/jobs/${call.jobId}/${call.action}`)
    case 'ReadTrace':
      return get(`/jobs/${call.jobId}/trace`)
  }
}

/** Whether the forge changes something for the call, so that a lost answer leaves its effect unknown. */
export const changesForge = (call: ForgeCall): boolean => forgeWire(call).method !== 'GET'

/** Why the forge cannot be called; each names the key to change. */
export type ForgeAddressFault = 'api_url' | 'project'

/**
 * The URL that all calls of a project begin with, from `integrations.forge.api_url`, which ends in `/api/v4`,
 * and `integrations.forge.project`.
 */
export const projectAddress = (
  apiUrl: string,
  project: string,
): string | { readonly bad: ForgeAddressFault } => {
  const base = safeBase(apiUrl)
  if (base?.endsWith('/api/v4') !== true) return { bad: 'api_url' }
  const encoded = encodeProject(project)
  return encoded === null ? { bad: 'project' } : `${base}/projects/${encoded}`
}

/** The number of the project in its address; null where it is configured by its path. */
export const projectIdIn = (address: string): string | null => /\/projects\/(\d+)$/.exec(address)?.[1] ?? null

/** The line of a description that names the version of the file that the request changes. */
export const versionLineOf = (version: string): string => `kronika-version: ${version}`

/**
 * Whether a request with this description changes another version of the file. A branch gets the same name again
 * when a file goes back to an earlier text. A description without the line is of every version.
 */
export const isOfOtherVersion = (description: string, version: string): boolean => {
  const named = versionIn.exec(description)?.[1]
  return named !== undefined && named !== version
}

/** Whether a request has ended. */
export const isOver = ({ state }: ForgeRequest): boolean => state === 'merged' || state === 'closed'

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

/**
 * A text of a caller on one line of a description, shown as it is written: it pings no person, refers to no issue
 * that a merge would close, and has no link, picture or tag.
 */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>#!@&~%$|]/g, '\\$&')

/**
 * Picks the request of a branch that counts: one that is merged, else one that is open, else one that a person
 * closed. Those that a daemon closed are over. Null: there is none.
 */
export const pickRequest = (
  { targetBranch, version }: WantedRequest,
  requests: ReadonlyArray<ForgeRequest>,
): ForgeRequest | null => {
  const ours = requests.filter(
    one =>
      (targetBranch === null || one.targetBranch === targetBranch) &&
      !(isOver(one) && isOfOtherVersion(one.description, version)),
  )
  return (
    ours.find(({ state }) => state === 'merged') ??
    ours.find(({ state }) => state !== 'closed') ??
    ours.find(({ description }) => !hasClosingLine(description)) ??
    null
  )
}

/**
 * The description of a request that a daemon closes. Its last line tells the closing from a veto, which is a
 * closing by a person.
 */
export const appendClosingLine = (description: string, town: string, reason: string): string => {
  const line = `closed-by: kronika ${lineOf(town)}: ${lineOf(reason)}`
  return description === '' ? line : `${description}\n\n${line}`
}

/** Whether a daemon has closed the request with this description. */
export const hasClosingLine = (description: string): boolean =>
  /^closed-by: kronika [^\s:][^:\n]*: /m.test(description)

const titleCharsMax = 255

/**
 * Escapes what the forge would run: a line of a description that begins with a slash, such as `/merge`, is a
 * command to it.
 */
const escapeCommands = (text: string): string => text.replace(/^([ \t]*)\//gm, '$1\\/')

const get = (path: string): ForgeWire => ({ method: 'GET', path, body: null })
const post = (path: string, body: object | null = null): ForgeWire => ({
  method: 'POST',
  path,
  body: body === null ? null : JSON.stringify(body),
})
const put = (path: string, body: object): ForgeWire => ({ method: 'PUT', path, body: JSON.stringify(body) })

const projectCharsMax = 255

/** A part of a project's path: GitLab starts it with a letter, a digit or an underscore. */
const segment = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/

/**
 * The project as one segment of a path: its id, or its path with the groups, percent-encoded. Null where it is
 * neither.
 */
const encodeProject = (project: string): string | null => {
  if (project.length > projectCharsMax) return null
  if (/^\d+$/.test(project)) return project
  const parts = project.split('/')
  return parts.length > 1 && parts.every(part => segment.test(part)) ? parts.join('%2F') : null
}

const versionIn = /^kronika-version: (\S+)$/m

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

interface WantedRequest {
  /** Null: any. */
  readonly targetBranch: string | null
  /** What the request changes: ended requests whose description names another version are ignored. */
  readonly version: string
}

/** Text on one line without control characters, so that it cannot end the line. */
const lineOf = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
