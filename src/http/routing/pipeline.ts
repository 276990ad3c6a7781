import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { isFromCommit, isRead, type Route } from '#protocol/route.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { chatWritersOf } from '#src/domain/identity/callers.js'
import { anonymous } from '#src/domain/identity/credentials/tokens.js'
import { accountRefused } from '#src/domain/identity/player-refusals.js'
import { isOwnWrite } from '#src/domain/identity/readable.js'
import { indexedCommitsOf } from '#src/domain/search/texts/pdf-documents.js'
import { whenReady } from '#src/kernel/time/when-ready.js'
import { loopWork } from '#src/kernel/work-scheduler.js'
import type { SearchPorts } from '#src/ports/host.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { hideRefusedNames } from '#src/writing/answers/hide-names.js'
import { type ContainsCommit, commitNotHere, hasWanted } from '#src/writing/command.js'
import { seesNames } from '#src/writing/people/own-lore.js'
import type { Arrival } from '../checks/arrival.js'
import {
  bodyRefusalOf,
  decodeBodyInSlices,
  excessRefusal,
  mediaRefusal,
  readBody,
  sendsBody,
  type TakenBody,
} from '../checks/body.js'
import {
  asksDryRun,
  decodeQuery,
  type Query,
  type RequestTarget,
  readQueryPairs,
  servedRowOf,
} from '../checks/query.js'
import { admitCaller, readmitOf, refuseUnauthorized } from '../credentials/admission.js'
import { bearerTokenOf } from '../credentials/authenticate.js'
import { awaitNames } from './ask-readers.js'
import { type Call, type FrontOptions, isClientThere, type Pipeline } from './call.js'
import { dispatchCall } from './dispatch.js'
import { type Outcome, refuseForNode, refuseRequest } from './handler.js'
import type { Match, Served } from './matcher.js'
import { openRequestWork, type RequestWork, readCallerOf, WorkStopped } from './read-admission.js'

/** A request on its way; `target` and `caller` are set when they are known, for log and meter. */
export interface Passage {
  readonly requestId: string
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly arrival: Arrival
  target: RequestTarget | null
  caller: Caller | null
  /** It was refused because it had no answer in time. */
  isLate: boolean
}

/** Whose turn a request waits for before anything is known of it: that of its credentials, or of its network. */
export const turnKeyOf = (front: FrontOptions, { arrival, req }: Passage): string =>
  `request ${bearerTokenOf(arrival.authorization) ?? front.clientNetwork(req)}`

/**
 * The order of checks (A 4.1.1): authenticate, match, capability, rate, write gate, rate of writes, content type,
 * body, query, snapshot, requested commit; then validator, handler and encoding. The row is looked up before
 * authentication only to know whether it is public. Returns a promise only where a step waits.
 */
export const runPipeline = (pipeline: Pipeline, passage: Passage): Outcome | Promise<Outcome> => {
  const target = passage.target ?? pipeline.targetOf(passage.req.method ?? '', passage.arrival.path)
  passage.target = target
  const fresh = resolveFreshCaller(pipeline.front, passage, target.matched)
  return goOn(pipeline, passage, fresh, known => checkCaller(pipeline, passage, target, known))
}

/**
 * Goes on at once where a value is there, otherwise in a turn of the caller behind it: many requests may wait for the
 * same look at HEAD, and would all go on in one turn of the loop. A prompt row waits for no turn.
 */
const goOn = <A, B>(
  { front }: Pipeline,
  passage: Passage,
  value: A | Promise<A>,
  next: (value: A) => B | Promise<B>,
): B | Promise<B> => {
  if (!(value instanceof Promise)) return next(value)
  if (servedRowOf(passage.target)?.row.prompt === true) return value.then(next)
  const start = (ready: A) =>
    loopWork.enter(
      () => turnKeyOf(front, passage),
      () => next(ready),
    )
  return value.then(start)
}

/** A request whose caller is admitted, before its body is read. */
interface AdmittedRequest {
  readonly passage: Passage
  readonly matched: Match
  /** The caller with its grade, resolved by `before`. */
  readonly first: Either<never, Caller>
  readonly before: Snapshot | null
  readonly pairs: ReturnType<typeof readQueryPairs>
  readonly dryRun: boolean
  readonly work: RequestWork
}

const checkCaller = (
  pipeline: Pipeline,
  passage: Passage,
  { found, matched }: RequestTarget,
  { snapshot: before, caller }: CallerAtSnapshot,
): Outcome | Promise<Outcome> => {
  const { front } = pipeline
  passage.caller = caller
  if (caller === null) return refuseUnknownCaller(front, passage)
  if (isLeft(found))
    return refuseRequest(refuse('RequestMalformed', 'The path has a malformed percent escape.'), 'route')
  if (matched === null)
    return refuseRequest(
      refuse('RouteNotFound', 'No route has this method and path. GET /routes lists the routes.'),
      'route',
    )

  const { row } = matched.served
  const first = admitCaller(row, caller)
  if (isLeft(first)) return refuseRequest(first.left, 'capability')

  const crowded = row.limited === true ? rateRefusal(front, passage.req) : null
  if (crowded !== null) return refuseRequest(crowded, 'shed')

  const pairs = readQueryPairs(passage.arrival.query)
  const dryRun = !isLeft(pairs) && asksDryRun(pairs.right)
  const closed = row.write ? front.gate(row, dryRun) : null
  if (closed !== null) return refuseRequest(closed, 'gate')

  const { req } = passage
  const work = openRequestWork({
    row,
    places: pipeline.places,
    scheduler: loopWork,
    caller: readCallerOf(caller, passage.arrival.authorization, () => front.clientNetwork(req)),
    isWanted: () => isClientThere(passage),
  })
  const request: AdmittedRequest = { passage, matched, first, before, pairs, dryRun, work }
  const readOn = () => {
    const body = row.body === null ? right(null) : readRequestBody(front, work, req, matched.served)
    return goOn(pipeline, passage, body, read => checkBody(pipeline, request, read))
  }
  return endWork(work, () =>
    row.write && !dryRun ? countWrite(front, ownWriterOf(row, first.right), readOn) : readOn(),
  )
}

/** Answers a request, and frees its place when its work has ended. Work that was stopped refuses the request. */
const endWork = (work: RequestWork, answer: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> => {
  const outcome = answer()
  if (!(outcome instanceof Promise)) return outcome
  return outcome.then(
    ended => {
      work.release()
      return ended
    },
    (error: unknown) => {
      work.release()
      return outcomeOfStop(error)
    },
  )
}

const outcomeOfStop = (error: unknown): Outcome => {
  if (!(error instanceof WorkStopped)) throw error
  return error.refusal === null ? { _tag: 'Gone' } : refuseForNode(error.refusal)
}

/** Continues from the body: decodes body and query, then looks at HEAD where that is due. */
const checkBody = (
  pipeline: Pipeline,
  request: AdmittedRequest,
  body: Either<Outcome, unknown>,
): Outcome | Promise<Outcome> => {
  const { front } = pipeline
  const { matched, pairs } = request
  const { row, query: codecs } = matched.served
  if (isLeft(body)) return body.left
  const excess = excessRefusal(row, body.right)
  if (excess !== null) return refuseRequest(excess, 'body')

  if (isLeft(pairs)) return refuseRequest(pairs.left)
  const query = decodeQuery(codecs, pairs.right)
  if (isLeft(query)) return refuseRequest(query.left)

  const looked = front.freshen !== null && isLookedFor(row) ? lookAtHead(front) : undefined
  const named = whenReady(looked, () => awaitNames(row, front))
  return goOn(pipeline, request.passage, named, () =>
    checkSnapshot(pipeline, request, query.right, body.right),
  )
}

/**
 * Continues from the snapshot: it exists, the caller still has the right on it, and it contains the requested
 * commit.
 */
const checkSnapshot = (
  pipeline: Pipeline,
  { passage, matched, first, before, dryRun, work }: AdmittedRequest,
  query: Query,
  body: unknown,
): Outcome | Promise<Outcome> => {
  const { front } = pipeline
  const { req, res, arrival } = passage
  const { row, query: codecs } = matched.served
  const snapshot = front.snapshot()
  if (snapshot === null && !row.early) return refuseRequest(refuse('Starting', notReadyDetail(front)))
  const readmit = readmitOf(front.credentials, arrival, row)
  const waited = row.body !== null || front.freshen !== null || snapshot !== before
  const graded = waited ? readmit(snapshot, front.clock.nowMs()) : first
  if (isLeft(graded)) return refuseLostRight(front, passage, graded.left)
  const caller = graded.right
  passage.caller = caller
  const wanted = wantedCommitOf(row, req)
  if (isLeft(wanted)) return refuseRequest(wanted.left)
  const wants = wanted.right
  const has =
    wants === null ||
    (snapshot !== null && hasWantedCommit(front.containsCommit, front.node.search, row, wants, snapshot))
  const call: Call = {
    req,
    res,
    match: matched,
    caller,
    query,
    body,
    snapshot,
    dryRun: dryRun && Object.hasOwn(codecs, 'dryRun'),
    readmit,
    wants,
    work,
  }
  const answer = () =>
    goOn(pipeline, passage, has, hasCommit =>
      hasCommit ? dispatchCall(pipeline, call) : refuseRequest(commitNotHere()),
    )
  const outcome =
    row.byChat !== undefined && !dryRun ? countWrite(front, namedWritersOf(call), answer) : answer()
  return whenReady(outcome, ended =>
    ended._tag !== 'Refused' || seesNames(caller)
      ? ended
      : { ...ended, refusal: hideRefusedNames(ended.refusal) },
  )
}

/** Git's reasons contain folders of this host, so only its log shows them. */
const notReadyDetail = ({ node }: FrontOptions): string =>
  node.staleReason() === null
    ? 'The host is still reading the lore. Try again in a second.'
    : 'HEAD cannot be loaded, and no earlier commit is loaded. The log of this host says why; commit a fix.'

/**
 * Whether to look at HEAD before the row is answered, where that is done on demand (D14). A public early row
 * needs no snapshot; a guarded one needs the current rights, and waits (S30).
 */
const isLookedFor = ({ early, capability }: Route): boolean => !early || capability !== null

/** 401. Records that a token was shown, never the token. */
const refuseUnknownCaller = (front: FrontOptions, { arrival, requestId, req }: Passage): Outcome => {
  if (arrival.authorization !== null)
    front.log({
      event: 'http.credential_refused',
      requestId,
      method: req.method ?? '',
      network: front.clientNetwork(req),
    })
  return refuseRequest(refuseUnauthorized(arrival), 'auth')
}

/**
 * The refusal for a right that ended while the request was read, by a commit or by the end of its token (S30,
 * ADR 1018).
 */
const refuseLostRight = (
  front: FrontOptions,
  passage: Passage,
  refusal: RefusalOf<'Unauthorized' | 'Forbidden'>,
): Outcome => {
  if (refusal._tag === 'Forbidden') return refuseRequest(refusal, 'capability')
  passage.caller = null
  return refuseUnknownCaller(front, passage)
}

/** The caller; null is 401. A public row ignores a bad token (D23); an unknown path requires a valid one. */
const authenticateCaller = (
  front: FrontOptions,
  { arrival }: Passage,
  matched: Match | null,
  snapshot: Snapshot | null,
): Caller | null | Promise<Caller | null> => {
  if (matched?.served.row.prompt === true) return anonymous
  const isPublic = matched !== null && matched.served.row.capability === null
  const token = bearerTokenOf(arrival.authorization)
  const known = token === null ? null : front.credentials.resolve(token, snapshot, front.clock.nowMs())
  return whenReady(known, caller => caller ?? (isPublic ? anonymous : null))
}

/** The caller, and the snapshot that it was resolved by. */
interface CallerAtSnapshot {
  readonly snapshot: Snapshot | null
  readonly caller: Caller | null
}

const resolveCaller = (
  front: FrontOptions,
  passage: Passage,
  matched: Match | null,
): CallerAtSnapshot | Promise<CallerAtSnapshot> => {
  const snapshot = front.snapshot()
  return whenReady(authenticateCaller(front, passage, matched, snapshot), caller => ({ snapshot, caller }))
}

/**
 * Finds the caller of a request. Where HEAD is looked at on demand (D14), a token that would be refused is
 * resolved again after a look at HEAD: a commit that this host has not loaded may give the right (S30).
 */
const resolveFreshCaller = (
  front: FrontOptions,
  passage: Passage,
  matched: Match | null,
): CallerAtSnapshot | Promise<CallerAtSnapshot> => {
  const first = resolveCaller(front, passage, matched)
  return front.freshen === null || matched === null || bearerTokenOf(passage.arrival.authorization) === null
    ? first
    : whenReady(first, known => resolveAfterLook(front, passage, matched, known))
}

const resolveAfterLook = (
  front: FrontOptions,
  passage: Passage,
  matched: Match,
  first: CallerAtSnapshot,
): CallerAtSnapshot | Promise<CallerAtSnapshot> => {
  const { row } = matched.served
  const admits = first.caller !== null && !isLeft(admitCaller(row, first.caller))
  if (admits || !isLookedFor(row)) return first
  return whenReady(lookAtHead(front), () =>
    front.snapshot() === first.snapshot ? first : resolveCaller(front, passage, matched),
  )
}

const refuseUntil = (waitMs: number): RefusalOf<'TooManyRequests'> => {
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  return refuse('TooManyRequests', `Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
}

/** 429 for a client that uses the public sign-in rows too often. Its address is used only for counting. */
const rateRefusal = (
  { signInLimit, clock }: FrontOptions,
  req: IncomingMessage,
): RefusalOf<'TooManyRequests'> | null => {
  const waitMs = signInLimit(req, clock.monotonicMs())
  return waitMs === null ? null : refuseUntil(waitMs)
}

/** The person whom a write of their own is counted for; none for a token of no person and a write by chat. */
const ownWriterOf = (row: Route, caller: Caller): ReadonlyArray<string> =>
  row.byChat === undefined && caller.gracz !== null && isOwnWrite(row, caller)
    ? [`gracz ${caller.gracz}`]
    : []

/**
 * Those whom a write of the chat is counted for. None where the caller may not name the account: their write is
 * refused, and a 429 would tell that the account is in use.
 */
const namedWritersOf = ({ body, caller, snapshot }: Call): ReadonlyArray<string> => {
  const { chatId } = body !== null && typeof body === 'object' && 'chatId' in body ? body : { chatId: null }
  if (typeof chatId !== 'string' || snapshot === null) return []
  return accountRefused(snapshot, caller, chatId) === null ? chatWritersOf(snapshot, chatId) : []
}

/** Counts a write for these people, or refuses it with 429. A write that is refused or dropped is taken back. */
const countWrite = (
  { writeLimit, clock }: FrontOptions,
  people: ReadonlyArray<string>,
  write: () => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome> => {
  if (people.length === 0) return write()
  const waitMs = writeLimit.take(people, clock.monotonicMs())
  if (waitMs !== null) return refuseRequest(refuseUntil(waitMs), 'rate')
  return settleWrite(write, () => writeLimit.giveBack(people, clock.monotonicMs()))
}

const settleWrite = async (
  write: () => Outcome | Promise<Outcome>,
  giveBack: () => void,
): Promise<Outcome> => {
  let isMade = false
  try {
    const outcome = await write()
    isMade = outcome._tag === 'Fresh'
    return outcome
  } finally {
    if (!isMade) giveBack()
  }
}

/** Looks at HEAD. If that fails, the last good snapshot stays. */
const lookAtHead = async (front: FrontOptions): Promise<void> => {
  try {
    await front.freshen?.()
  } catch (error) {
    front.log({ event: 'http.look_failed', reason: error instanceof Error ? error.message : String(error) })
  }
}

/** Decodes the bytes of a body and lets other requests run while it does. */
const decodeInTurns = async (
  work: RequestWork,
  row: Route,
  taken: TakenBody,
  bytes: Buffer,
): Promise<Either<Outcome, unknown>> => {
  const decoded = await work.run(decodeBodyInSlices(taken, bytes))
  return isLeft(decoded) ? left(refuseRequest(bodyRefusalOf(row, decoded.left), 'body')) : decoded
}

/** A longer body is not decoded in one turn. */
const bodyBytesAtOnce = 16 * 1024

const isLongBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyBytesAtOnce

/**
 * Checks content type and size and reads the body, in this order; only where the row takes a body. A long body is
 * read only for a caller who has a place for it, or room in the line: also that of a write, until it is decoded.
 */
const readRequestBody = async (
  front: FrontOptions,
  work: RequestWork,
  req: IncomingMessage,
  { row }: Served,
): Promise<Either<Outcome, unknown>> => {
  if (row.body === null) return right(null)
  const { body: codec, unknownKeys, longList, reservedKey } = row
  const taken: TakenBody = {
    codec,
    unknownKeys: unknownKeys === undefined ? 'refused' : 'ignored',
    longList,
    reservedKey,
  }
  if (!sendsBody(req)) return decodeInTurns(work, row, taken, Buffer.alloc(0))
  const media = mediaRefusal(req)
  if (media !== null) return left(refuseRequest(media, 'media_type'))
  const held = isLongBody(req) ? work.hold() : undefined
  const bytes = await readBody(req)
  await held
  if (isLeft(bytes)) return left(bytes.left === 'gone' ? { _tag: 'Gone' } : refuseRequest(bytes.left, 'size'))
  front.meter.body(row.path, bytes.right.length)
  const decoded = await decodeInTurns(work, row, taken, bytes.right)
  if (!isRead(row)) work.release()
  return decoded
}

/**
 * The commit that a request asks for with `X-Svc-Min-Commit`; null where it names none or the row ignores the
 * header (A 4.1.9). The value must be a full commit id: a snapshot has no other kind, so any other value is
 * refused (D27).
 */
const wantedCommitOf = (
  row: Route,
  { headers }: Pick<IncomingMessage, 'headers'>,
): Either<RefusalOf<'CommitNotHere'>, CommitId | null> => {
  const wanted = headers['x-svc-min-commit']
  if (wanted === undefined || !isFromCommit(row)) return right(null)
  const id = CommitId.decode(wanted)
  return isLeft(id) ? left(commitNotHere()) : id
}

/** Whether the snapshot has the commit that a request asks for and, for a row of search, the indexes have it. */
const hasWantedCommit = async (
  containsCommit: ContainsCommit,
  search: Pick<SearchPorts, 'asker'>,
  row: Route,
  wants: CommitId,
  snapshot: Snapshot,
): Promise<boolean> => {
  if (!(await hasWanted(containsCommit, wants, snapshot))) return false
  if (row.indexed !== true) return true
  for (const commit of indexedCommitsOf(search.asker.states()))
    if (commit === null || !(await hasWanted(containsCommit, wants, { ...snapshot, commit }))) return false
  return true
}
