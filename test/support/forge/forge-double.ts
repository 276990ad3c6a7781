import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as t from 'io-ts'
import { openBare } from './bare-git.js'
import { type DoubleOperation, FaultQueue, ForgeFault } from './forge-faults.js'
import { type DoubleRequest, GitlabRequests, type RequestRules, type RestReply } from './gitlab-requests.js'
import { serveGit } from './http-backend.js'

export interface ForgeDoubleOptions extends Partial<RequestRules> {
  /** Path of the bare repository; created where nothing is there. */
  readonly repository: string
  readonly project?: string
  readonly token?: string
  /** 0 lets the system choose. */
  readonly port?: number
}

/** A request to the REST interface as it was received. */
export interface SeenCall {
  readonly operation: DoubleOperation
  readonly method: string
  /** Below `/api/v4`, with the query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Null where no answer was sent. */
  status: number | null
}

/** One process that is the remote of git and the forge, over a loopback socket. */
export interface ForgeDouble {
  /** URL of the remote. */
  readonly remote: string
  readonly apiUrl: string
  readonly project: string
  readonly token: string
  readonly requests: () => ReadonlyArray<DoubleRequest>
  readonly calls: ReadonlyArray<SeenCall>
  readonly disturb: (...faults: ReadonlyArray<ForgeFault>) => void
  /** Closes a request as a person does. */
  readonly veto: (iid: number) => Promise<void>
  readonly close: () => Promise<void>
}

const Body = t.record(t.string, t.unknown)
const Faults = t.readonlyArray(ForgeFault)

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  const incoming: AsyncIterable<Buffer> = request
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const fieldsOf = (text: string): Readonly<Record<string, unknown>> => {
  const value: unknown = text === '' ? {} : JSON.parse(text)
  return Body.is(value) ? value : {}
}

interface RestRoute {
  readonly operation: DoubleOperation
  readonly answer: (
    requests: GitlabRequests,
    iid: number,
    query: URLSearchParams,
    body: Readonly<Record<string, unknown>>,
  ) => Promise<RestReply> | RestReply
}

const restRoutes: Readonly<Record<string, RestRoute>> = {
  'POST /merge_requests': { operation: 'open', answer: (all, _iid, _query, body) => all.open(body) },
  'GET /merge_requests': { operation: 'list', answer: (all, _iid, query) => all.search(query) },
  'GET /merge_requests/N': { operation: 'read', answer: (all, iid) => all.read(iid) },
  'PUT /merge_requests/N/merge': {
    operation: 'merge',
    answer: (all, iid, _query, body) => all.merge(iid, body),
  },
  'PUT /merge_requests/N': {
    operation: 'close',
    answer: (all, iid, _query, body) => all.change(iid, body),
  },
  'POST /merge_requests/N/notes': {
    operation: 'note',
    answer: (all, iid, _query, body) => all.note(iid, body),
  },
}
const unknownRoute: RestRoute = {
  operation: 'other',
  answer: () => ({ status: 404, body: { error: '404 Not Found' } }),
}

const sendJson = (response: ServerResponse, { status, body }: RestReply, text?: string): void => {
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  response.end(text ?? JSON.stringify(body))
}

const statusReply = (status: number): RestReply => ({ status, body: { message: `${status}, as was wanted` } })

/** Starts the double; the caller closes it. */
export const forgeDouble = async (options: ForgeDoubleOptions): Promise<ForgeDouble> => {
  const { repository, project = 'lore/kronika', token = 'forge-double-token', port = 0 } = options
  const nowMs = options.nowMs ?? Date.now
  const git = openBare(repository)
  const faults = new FaultQueue()
  const calls: Array<SeenCall> = []
  let requests: GitlabRequests | null = null
  // One request of the REST interface at a time: a merge reads and moves a branch.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(work: () => Promise<A> | A): Promise<A> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }
  const all = (): GitlabRequests => {
    if (requests === null) throw new Error('the double has not started')
    return requests
  }
  const veto = async (iid: number): Promise<void> => {
    await inTurn(() => all().change(iid, { state_event: 'close' }))
  }

  const answerRest = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const base = `/api/v4/projects/${encodeURIComponent(project)}`
    const body = await readText(request)
    const below = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : '?'
    const iid = Number(/\/(\d+)/.exec(below)?.[1] ?? '0')
    const route = restRoutes[`${request.method ?? ''} ${below.replace(/\/\d+/, '/N')}`] ?? unknownRoute
    const seen: SeenCall = {
      operation: route.operation,
      method: request.method ?? '',
      path: `${url.pathname.slice('/api/v4'.length)}${url.search}`,
      headers: request.headers,
      body,
      status: null,
    }
    calls.push(seen)
    const send = (reply: RestReply, text?: string): void => {
      seen.status = reply.status
      sendJson(response, reply, text)
    }
    if (request.headers['private-token'] !== token) return send(statusReply(401))
    const fault = faults.take(route.operation)
    if (fault !== null && typeof fault.do === 'number') {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter)
      return send(statusReply(fault.do))
    }
    if (fault?.do === 'hang') return
    if (fault?.do === 'hang_up') return void request.socket.destroy()
    const reply = await inTurn(() => route.answer(all(), iid, url.searchParams, fieldsOf(body)))
    if (fault?.do === 'veto') await veto(all().list().length)
    if (fault?.do === 'lose') return
    send(reply, fault?.do === 'garble' ? '<html>' : undefined)
  }

  const answerGit = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const isPush = /git-receive-pack$/.test(`${url.pathname}${url.search}`)
    const isWork = request.method === 'POST'
    const fault = isWork ? faults.take(isPush ? 'push' : 'fetch') : null
    if (fault?.do === 'hang') return
    if (fault?.do === 'hang_up') return void request.socket.destroy()
    if (fault !== null && typeof fault.do === 'number') return sendJson(response, statusReply(fault.do))
    const pathInfo = url.pathname.slice(`/${project}.git`.length)
    const isLost = fault?.do === 'lose'
    await serveGit(repository, pathInfo, request, response, isLost)
    if (isLost) request.socket.destroy()
  }

  /** The interface of the test: `GET` shows what happened, `POST` adds faults. */
  const answerControl = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'POST') {
      const wanted: unknown = JSON.parse(await readText(request))
      if (!Faults.is(wanted)) return sendJson(response, statusReply(400))
      faults.add(wanted)
    }
    const told = calls.map(({ operation, method, path, status }) => ({ operation, method, path, status }))
    sendJson(response, { status: 200, body: { requests: all().list(), calls: told } })
  }

  const answer = (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://double')
    response.setHeader('date', new Date(nowMs()).toUTCString())
    if (url.pathname === '/-/double') return answerControl(request, response)
    if (url.pathname.startsWith(`/${project}.git/`)) return answerGit(request, response, url)
    if (url.pathname.startsWith('/api/v4/')) return answerRest(request, response, url)
    sendJson(response, statusReply(404))
    return Promise.resolve()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendJson(response, { status: 500, body: { message: String(error) } })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const { checksMs = 0, squashes = false, blockedBy = null } = options
  requests = new GitlabRequests(git, { checksMs, squashes, blockedBy, nowMs }, `${origin}/${project}`)
  return {
    remote: `${origin}/${project}.git`,
    apiUrl: `${origin}/api/v4`,
    project,
    token,
    requests: () => all().list(),
    calls,
    disturb: (...wanted) => faults.add(wanted),
    veto,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
