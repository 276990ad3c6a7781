import type { IncomingMessage } from 'node:http'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Route } from '#protocol/route.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import { commitNotHere } from '#src/corpus/write-plan.js'
import { tokenOf } from '#src/http/credentials/authenticate.js'
import type { Caller } from '#src/identity/caller.js'
import { anonymous } from '#src/identity/tokens/machine-token.js'
import { seesNames } from '#src/people/writing/own-names.js'
import { admitted, admittedAt, unauthorized } from './admission.js'
import type { Arrival } from './arrival.js'
import { decodedBody, mediaRefusal, readBody, sendsBody } from './body.js'
import { bodyExceeds } from './body-bounds.js'
import type { FrontDeps } from './deps.js'
import { dispatch, type Kept } from './dispatch.js'
import { hideNearest } from './hide-names.js'
import type { Match, Matcher, Served } from './matcher.js'
import { minCommitOf } from './min-commit.js'
import { type Outcome, refused } from './outcome.js'
import { asksDryRun, decodedQuery, queryPairs } from './query-text.js'

/** What the pipeline works with: the dependencies of the front and what was made of them once. */
export interface Pipeline extends Kept {
  readonly match: Matcher
}

/** A request on its way; `served` and `caller` are filled in when they are found, for log and meter. */
export interface Passage {
  readonly requestId: string
  readonly req: IncomingMessage
  readonly arrival: Arrival
  served: Served | null
  caller: Caller | null
}

/**
 * The order of checks (A 4.1.1): authenticate, match, capability, rate, write gate, content type, body, query,
 * snapshot, commit asked for; then validator, handler and encoding. A row is found first only to know whether it is
 * public.
 */
export const pass = async (pipeline: Pipeline, passage: Passage): Promise<Outcome> => {
  const { deps, match } = pipeline
  const { req, arrival } = passage
  const found = match(req.method ?? '', arrival.path)
  const matched = isLeft(found) ? null : found.right
  passage.served = matched?.served ?? null

  const { snapshot: before, caller } = await entered(deps, passage, matched)
  passage.caller = caller
  if (caller === null) return unknownCaller(deps, passage)
  if (isLeft(found))
    return refused(refuse('RequestMalformed', 'An escape in the path is malformed.'), 'route')
  if (matched === null) return refused(refuse('RouteNotFound', 'GET /routes lists the routes.'), 'route')

  const { row } = matched.served
  const first = admitted(row, caller)
  if (isLeft(first)) return refused(first.left, 'capability')

  const crowded = row.limited === true ? crowdedOut(deps, req) : null
  if (crowded !== null) return refused(crowded, 'shed')

  const pairs = queryPairs(arrival.query)
  const dryRun = !isLeft(pairs) && asksDryRun(pairs.right)
  const closed = row.write ? deps.gate(row, dryRun) : null
  if (closed !== null) return refused(closed, 'gate')

  const body = row.body === null ? right(null) : await bodyOf(deps, passage, matched.served)
  if (isLeft(body)) return body.left
  const excess = bodyExceeds(row, body.right)
  if (excess !== null) return refused(excess, 'body')

  if (isLeft(pairs)) return refused(pairs.left)
  const query = decodedQuery(matched.served.query, pairs.right)
  if (isLeft(query)) return refused(query.left)

  if (deps.freshen !== null && isLookedFor(row)) await fresh(deps)
  const snapshot = deps.snapshot()
  if (snapshot === null && !row.early) return refused(refuse('Starting', startingDetail(deps)))
  const again = admittedAt(deps.credentials, arrival, row)
  const waited = row.body !== null || deps.freshen !== null || snapshot !== before
  const graded = waited ? again(snapshot, deps.clock.nowMs()) : first
  if (isLeft(graded)) return goneMeanwhile(deps, passage, graded.left)
  passage.caller = graded.right
  const hasCommit = minCommitOf(deps, row, req)
  if (hasCommit !== null && (snapshot === null || !(await hasCommit(snapshot))))
    return refused(commitNotHere())

  const outcome = await dispatch(pipeline, {
    req,
    match: matched,
    caller: graded.right,
    query: query.right,
    body: body.right,
    snapshot,
    dryRun: dryRun && Object.hasOwn(matched.served.query, 'dryRun'),
    requestId: passage.requestId,
    again,
    hasCommit,
  })
  return outcome._tag !== 'Refused' || seesNames(graded.right)
    ? outcome
    : { ...outcome, refusal: hideNearest(outcome.refusal) }
}

/** Reasons of git name folders of this host, so they are only in its log. */
const startingDetail = ({ node }: FrontDeps): string =>
  node.staleReason() === null
    ? 'The lore is being read; try again in a second.'
    : 'HEAD cannot be loaded, and nothing was loaded before it. The log of this host says why; commit a repair.'

/**
 * Whether HEAD is looked at before the row is answered, where that is done on demand (D14). A public early row needs no
 * snapshot; a guarded one needs the rights of now, and waits (S30).
 */
const isLookedFor = ({ early, capability }: Route): boolean => !early || capability !== null

/** 401; that a token was shown is recorded, the token is not. */
const unknownCaller = (deps: FrontDeps, { arrival, requestId, req }: Passage): Outcome => {
  if (arrival.authorization !== null)
    deps.log({ event: 'http.credential_refused', requestId, method: req.method ?? '' })
  return refused(unauthorized(arrival), 'auth')
}

/** A right that ended while the request was read, by a commit or by the end of its token (S30, ADR 0211). */
const goneMeanwhile = (
  deps: FrontDeps,
  passage: Passage,
  refusal: RefusalOf<'Unauthorized' | 'Forbidden'>,
): Outcome => {
  if (refusal._tag === 'Forbidden') return refused(refusal, 'capability')
  passage.caller = null
  return unknownCaller(deps, passage)
}

/** The caller; null is 401. A public row ignores a bad token (D23); an unknown path wants a good one. */
const authenticated = async (
  deps: FrontDeps,
  { arrival }: Passage,
  matched: Match | null,
  snapshot: Snapshot | null,
): Promise<Caller | null> => {
  const isPublic = matched !== null && matched.served.row.capability === null
  const token = tokenOf(arrival.authorization)
  const known = token === null ? null : await deps.credentials.resolve(token, snapshot, deps.clock.nowMs())
  return known ?? (isPublic ? anonymous : null)
}

/** Who asks, by the snapshot that was current then. */
interface Entry {
  readonly snapshot: Snapshot | null
  readonly caller: Caller | null
}

const entry = async (deps: FrontDeps, passage: Passage, matched: Match | null): Promise<Entry> => {
  const snapshot = deps.snapshot()
  return { snapshot, caller: await authenticated(deps, passage, matched, snapshot) }
}

/**
 * Who asks. Where HEAD is looked at on demand (D14), whoever would be refused with a token is looked at again after a
 * look: a commit that nobody saw yet may have given the right (S30).
 */
const entered = async (deps: FrontDeps, passage: Passage, matched: Match | null): Promise<Entry> => {
  const first = await entry(deps, passage, matched)
  if (deps.freshen === null || matched === null || tokenOf(passage.arrival.authorization) === null)
    return first
  const { row } = matched.served
  const admits = first.caller !== null && !isLeft(admitted(row, first.caller))
  if (admits || !isLookedFor(row)) return first
  await fresh(deps)
  return deps.snapshot() === first.snapshot ? first : entry(deps, passage, matched)
}

/** 429 for a client that asks the public sign-in rows too often. Its address is counted by and told nowhere. */
const crowdedOut = (
  { signInLimit, clock }: FrontDeps,
  req: IncomingMessage,
): RefusalOf<'TooManyRequests'> | null => {
  const waitMs = signInLimit(req, clock.nowMs())
  if (waitMs === null) return null
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  return refuse('TooManyRequests', `Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
}

/** Content type, size and body, in this order; only where the row takes a body. */
const bodyOf = async (
  deps: FrontDeps,
  { req }: Passage,
  { row }: Served,
): Promise<Either<Outcome, unknown>> => {
  if (row.body === null) return right(null)
  const taken = { codec: row.body, unknownKeys: row.unknownKeys ?? 'refused' } as const
  if (!sendsBody(req)) return inBody(decodedBody(taken, Buffer.alloc(0)))
  const media = mediaRefusal(req)
  if (media !== null) return left(refused(media, 'media_type'))
  const bytes = await readBody(req)
  if (isLeft(bytes)) return left(bytes.left === 'gone' ? { _tag: 'Gone' } : refused(bytes.left, 'size'))
  deps.meter.body(row.path, bytes.right.length)
  return inBody(decodedBody(taken, bytes.right))
}

const inBody = (decoded: ReturnType<typeof decodedBody>): Either<Outcome, unknown> =>
  isLeft(decoded) ? left(refused(decoded.left, 'body')) : decoded

/** A look at HEAD that fails leaves the last good snapshot in its place. */
const fresh = async (deps: FrontDeps): Promise<void> => {
  try {
    await deps.freshen?.()
  } catch (error) {
    deps.log({ event: 'http.look_failed', reason: error instanceof Error ? error.message : String(error) })
  }
}
