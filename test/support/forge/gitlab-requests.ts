import type { BareGit } from './bare-git.js'

export interface DoubleRequest {
  readonly iid: number
  readonly title: string
  readonly description: string
  readonly state: 'opened' | 'closed' | 'merged'
  readonly source: string
  readonly target: string
  readonly openedAtMs: number
  readonly mergedAtMs: number | null
  /** The tip of the source when it was merged; null before. */
  readonly mergedSha: string | null
  readonly mergeCommit: string | null
  readonly isSquashed: boolean
  readonly notes: ReadonlyArray<string>
}

export interface RequestRules {
  /** Time that the check of a new request takes. */
  readonly checksMs: number
  /** Merges by squash, whatever a call says. */
  readonly squashes: boolean
  /** The status of a request that waits for people, such as `not_approved`. */
  readonly blockedBy: string | null
  /** The clock of the forge. */
  readonly nowMs: () => number
}

export interface RestReply {
  readonly status: number
  readonly body: unknown
}

/** Whether a body has a text under a name, and which one. */
const textAt = (body: Readonly<Record<string, unknown>>, name: string): string | null => {
  const value = body[name]
  return typeof value === 'string' ? value : null
}

const say = (status: number, message: string): RestReply => ({ status, body: { message } })
const isoOf = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString())

/** The merge requests of GitLab, over a bare repository. */
export class GitlabRequests {
  private all: ReadonlyArray<DoubleRequest> = []

  constructor(
    private readonly git: BareGit,
    private readonly rules: RequestRules,
    private readonly webUrl: string,
  ) {}

  list(): ReadonlyArray<DoubleRequest> {
    return this.all
  }

  private update(request: DoubleRequest, change: Partial<DoubleRequest>): DoubleRequest {
    const updated = { ...request, ...change }
    this.all = this.all.map(one => (one.iid === request.iid ? updated : one))
    return updated
  }

  private async mergeStatus(request: DoubleRequest): Promise<string> {
    const { checksMs, blockedBy, nowMs } = this.rules
    if (request.state !== 'opened') return 'not_open'
    if (nowMs() - request.openedAtMs < checksMs) return 'checking'
    if (await this.git.hasMerged(request.source, request.target)) return 'commits_status'
    if (!(await this.git.canMerge(request.source, request.target))) return 'conflict'
    return blockedBy ?? 'mergeable'
  }

  private async show(request: DoubleRequest): Promise<Readonly<Record<string, unknown>>> {
    const sha = request.mergedSha ?? (await this.git.tip(request.source))
    return {
      id: 1_000 + request.iid,
      iid: request.iid,
      project_id: 1,
      title: request.title,
      description: request.description,
      state: request.state,
      source_branch: request.source,
      target_branch: request.target,
      sha,
      web_url: `${this.webUrl}/-/merge_requests/${request.iid}`,
      created_at: isoOf(request.openedAtMs),
      merged_at: isoOf(request.mergedAtMs),
      squash: false,
      detailed_merge_status: await this.mergeStatus(request),
      merge_commit_sha: request.isSquashed ? null : request.mergeCommit,
      squash_commit_sha: request.isSquashed ? request.mergeCommit : null,
    }
  }

  async open(body: Readonly<Record<string, unknown>>): Promise<RestReply> {
    const [source, target] = [textAt(body, 'source_branch'), textAt(body, 'target_branch')]
    const title = textAt(body, 'title')
    if (source === null || target === null || title === null) return say(400, 'a field is missing')
    if ((await this.git.tip(source)) === null) return say(400, 'Source branch does not exist')
    if (source === target) return say(409, 'Source and target are the same')
    const twin = this.all.find(
      one => one.state === 'opened' && one.source === source && one.target === target,
    )
    if (twin !== undefined)
      return say(409, `Another open merge request already exists for this source branch: !${twin.iid}`)
    const request: DoubleRequest = {
      iid: this.all.length + 1,
      title,
      description: textAt(body, 'description') ?? '',
      state: 'opened',
      source,
      target,
      openedAtMs: this.rules.nowMs(),
      mergedAtMs: null,
      mergedSha: null,
      mergeCommit: null,
      isSquashed: false,
      notes: [],
    }
    this.all = [...this.all, request]
    return { status: 201, body: await this.show(request) }
  }

  async search(query: URLSearchParams): Promise<RestReply> {
    const [source, state] = [query.get('source_branch'), query.get('state') ?? 'all']
    const found = this.all
      .filter(one => (source === null || one.source === source) && (state === 'all' || one.state === state))
      .slice(-Number(query.get('per_page') ?? '20'))
      .reverse()
    return { status: 200, body: await Promise.all(found.map(one => this.show(one))) }
  }

  private find(iid: number): DoubleRequest | undefined {
    return this.all.find(one => one.iid === iid)
  }

  async read(iid: number): Promise<RestReply> {
    const request = this.find(iid)
    return request === undefined ? say(404, '404 Not found') : { status: 200, body: await this.show(request) }
  }

  async merge(iid: number, body: Readonly<Record<string, unknown>>): Promise<RestReply> {
    const request = this.find(iid)
    if (request === undefined) return say(404, '404 Not found')
    if ((await this.mergeStatus(request)) !== 'mergeable') return say(405, '405 Method Not Allowed')
    const sha = await this.git.tip(request.source)
    if ((textAt(body, 'sha') ?? sha) !== sha) return say(409, 'SHA does not match HEAD of source branch')
    const isSquashed = this.rules.squashes || body['squash'] === true
    const { source, target } = request
    const message = isSquashed ? request.title : `Merge branch '${source}' into '${target}'`
    const mergeCommit = await this.git.merge({ source, target, message, isSquashed })
    const mergedAtMs = this.rules.nowMs()
    const merged = this.update(request, {
      state: 'merged',
      mergedAtMs,
      mergedSha: sha,
      mergeCommit,
      isSquashed,
    })
    return { status: 200, body: await this.show(merged) }
  }

  async change(iid: number, body: Readonly<Record<string, unknown>>): Promise<RestReply> {
    const request = this.find(iid)
    if (request === undefined) return say(404, '404 Not found')
    const isClosing = body['state_event'] === 'close' && request.state === 'opened'
    const changed = this.update(request, {
      description: textAt(body, 'description') ?? request.description,
      ...(isClosing ? { state: 'closed' } : {}),
    })
    return { status: 200, body: await this.show(changed) }
  }

  note(iid: number, body: Readonly<Record<string, unknown>>): RestReply {
    const [request, text] = [this.find(iid), textAt(body, 'body')]
    if (request === undefined) return say(404, '404 Not found')
    if (text === null) return say(400, 'body is missing')
    this.update(request, { notes: [...request.notes, text] })
    return { status: 201, body: { id: request.notes.length + 1, body: text } }
  }
}
