import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import type { closeImpactRoutes } from '#protocol/enactments/closing.js'
import { applyWindow, type Window, type Windowed } from '#protocol/list.js'
import type { sessionWriteRoutes } from '#protocol/lore/session-writes.js'
import type { NarrowedRow, SessionRow, SessionSummary, sessionsRoutes } from '#protocol/lore/sessions.js'
import { windowOf } from '#protocol/query.js'
import { bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { View } from '#src/domain/callers/caller.js'
import { renderPageInSlices } from '#src/domain/json/json-bytes.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import { sessionGraph } from '#src/domain/sessions/entity-history.js'
import { divergencesFor } from '#src/domain/sessions/integrity.js'
import { narrowRow, type Session, sessionFor } from '#src/domain/sessions/session.js'
import {
  compareInSlices,
  fetchOf,
  fieldsNamed,
  filterSessionsInSlices,
  listOpenSessions,
  openSessionsOf,
  profileOf,
  rowList,
  rowOf,
  type SessionFilter,
  type SessionNames,
  sessionNamesOf,
  summaryList,
  summaryOf,
} from '#src/domain/sessions/session-answers.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { committedStatesOf } from '#src/domain/transcripts/archive.js'
import { refuseLargeAnswer } from '#src/http/answers/answer-bytes.js'
import { type Handlers, type InSlices, inSlices, type Rendered } from '#src/http/routing/handler.js'
import { findingsPageInSlices } from '#src/snapshot/all-findings.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { sessionNotFound } from '#src/writing/sessions/baselines.js'
import { closeImpactOf } from '#src/writing/sessions/close.js'
import { stagedSessions } from '#src/writing/sessions/section-lines.js'

/** Sessions: lists, one, narrators, integrity (B 4.2). */
export const sessionsHandlers: Handlers<typeof sessionsRoutes> = {
  'sessions.list': ({ caller: { view }, snapshot, query }) =>
    right({
      body: listWork(snapshot, query, rowIn(snapshot, view), (all, window) =>
        rowList(all, window, rowSources(snapshot), view),
      ),
    }),
  'sessions.summary.list': ({ caller: { view }, snapshot, query }) =>
    right({
      body: listWork(snapshot, query, summaryIn(snapshot, view), (all, window) =>
        summaryList(all, window, snapshot.names, view),
      ),
    }),
  'sessions.integrity.list': ({ snapshot, query, caller }) =>
    right({ body: inSlices(findingsPageInSlices('sessions', snapshot, caller.view, windowOf(query))) }),
  'sessions.divergence.list': ({ caller, snapshot, query }) =>
    right({ body: applyWindow(divergencesFor(snapshot, caller.view), windowOf(query)) }),
  'sessions.graph.get': ({ snapshot }) => right({ body: sessionGraph(snapshot.sessions, snapshot.names) }),
  'sessions.open.list': ({ caller: { view }, snapshot, query }) => {
    const { narrator } = query
    if (narrator === undefined) {
      const items = listOpenSessions(snapshot).map(summaryIn(snapshot, view))
      return right({ body: { count: items.length, items } })
    }
    const { sessions: open, forms, sure } = openSessionsOf(snapshot, narrator)
    const items = open.map(summaryIn(snapshot, view))
    return right({ body: { count: items.length, items, narrator, forms, sure } })
  },
  'sessions.staged.list': ({ caller: { view }, snapshot, query }) => {
    const page = applyWindow(stagedSessions(snapshot), windowOf(query))
    const items = page.items.map(({ session, target }) => ({
      ...summaryIn(snapshot, view)(session),
      Target: target,
    }))
    return right({ body: { ...page, items } })
  },
  'sessions.get': ({ caller, snapshot, path }) => {
    const session = snapshot.sessions.byKey.get(sessionKey(path.header))
    return session === undefined
      ? left(sessionNotFound(snapshot, path.header))
      : right({ body: fetchOf(session, snapshot, caller.view, committedStatesOf(snapshot)) })
  },
  'sessions.narratorProfile.get': ({ snapshot, path }) => {
    const profile = profileOf(snapshot, path.nick)
    return profile === null
      ? left(
          refuse(
            'NarratorNotFound',
            `No session names "${path.nick}" as a narrator. GET /sessions?fields=Narrators lists them.`,
          ),
        )
      : right({ body: profile })
  },
  'sessions.batch.list': ({ caller, snapshot, body }) => {
    const headers = headersAsked(body.headers)
    if (isLeft(headers)) return headers
    const row = rowIn(snapshot, caller.view)
    const fields = body.fields === undefined ? null : fieldsNamed(body.fields)
    const [items, missing]: [Array<string>, Array<string>] = [[], []]
    let bytes = 0
    for (const [key, header] of headers.right) {
      const session = snapshot.sessions.byKey.get(key)
      if (session === undefined) missing.push(header)
      else {
        const item = JSON.stringify(fields === null ? row(session) : narrowRow(row(session), fields))
        bytes += Buffer.byteLength(item)
        if (bytes > batchBytesMax) return left(refuseLargeAnswer(batchBytesMax, fewerHeaders))
        items.push(item)
      }
    }
    const text = `{"count":${items.length},"items":[${items.join()}],"missing":${JSON.stringify(missing)}}`
    return right({ body: asRendered(Buffer.from(text)) })
  },
  'sessions.compare': ({ snapshot, body }) => {
    const headers = headersAsked(body.headers)
    if (isLeft(headers)) return headers
    const keys = [...headers.right.keys()]
    const missing = keys.find(key => !snapshot.sessions.byKey.has(key))
    if (missing !== undefined) return left(sessionNotFound(snapshot, missing))
    const compared = keys.flatMap(key => snapshot.sessions.byKey.get(key) ?? [])
    return right({ body: inSlices(compareInSlices(compared, snapshot)) })
  },
}

/** What closing a session would do (B 4.2). */
export const closeImpactHandlers: Handlers<typeof closeImpactRoutes> = {
  'sessions.closeImpact.get': ({ caller, snapshot, path }) => {
    const impact = closeImpactOf(snapshot, path.header, caller.view)
    return impact === null ? left(sessionNotFound(snapshot, path.header)) : right({ body: impact })
  },
}

/** Rows of sessions that act and are not plain writes (B 4.2). */
export const sessionWritesHandlers: Handlers<Rows> = {
  'sessions.graph.rebuild': ({ snapshot, nowMs }) => {
    const { NodeCount, EdgeCount } = sessionGraph(snapshot.sessions, snapshot.names)
    return right({ body: { rebuiltAt: instantOf(nowMs), NodeCount, EdgeCount } })
  },
  'sessionRegistry.regenerate': ({ query }) =>
    right({
      prepared: null,
      ...(query.async === true ? { job: 'session-registry.regenerate' as const } : {}),
    }),
}

const asRendered = (bytes: Buffer): Rendered<never> => ({ _tag: 'Rendered', bytes })

/** The most different sessions in one request, and the most bytes of their rows. */
const headersMax = 200
const batchBytesMax = 8 * 1024 * 1024
const fewerHeaders = 'Send fewer headers at once, or narrow the rows with fields.'

/** The requested headers by their key, each once, as it was first sent. */
const headersAsked = (
  headers: ReadonlyArray<string>,
): Either<RefusalOf<'BodyInvalid'>, ReadonlyMap<string, string>> => {
  const asked = new Map<string, string>()
  for (const header of headers) {
    const key = sessionKey(header)
    if (!asked.has(key)) asked.set(key, header)
  }
  if (asked.size <= headersMax) return right(asked)
  const detail = `The request has ${asked.size} different headers, more than ${headersMax}. Ask for them in parts.`
  return left(bodyInvalid(detail, { path: '$.headers', expected: `at most ${headersMax} different headers` }))
}

const projectShown = <A>(
  project: (session: Session, named: SessionNames) => A,
  { names }: Snapshot,
  view: View,
  session: Session,
): A => {
  const shown = sessionFor(view, session)
  return project(shown, sessionNamesOf(shown, names))
}
const rowIn = (snapshot: Snapshot, view: View) => {
  const statesOf = committedStatesOf(snapshot)
  const row = (session: Session, named: SessionNames): SessionRow =>
    rowOf(session, named, statesOf(session.logs))
  return (session: Session) => projectShown(row, snapshot, view, session)
}
const rowSources = (snapshot: Snapshot) => ({
  names: snapshot.names,
  statesOf: committedStatesOf(snapshot),
})
const summaryIn = (snapshot: Snapshot, view: View) => (session: Session) =>
  projectShown(summaryOf, snapshot, view, session)

type ListQuery = SessionFilter & {
  readonly fields: string | undefined
} & Parameters<typeof windowOf>[0]

/** The list of the sessions that pass the filters: whole rows as bytes, or the fields that are named. */
const listInSlices = function* (
  snapshot: Snapshot,
  query: ListQuery,
  row: (session: Session) => SessionRow | SessionSummary,
  renderAll: (all: ReadonlyArray<Session>, window: Window) => Sliced<Buffer>,
): Sliced<Rendered<never> | Windowed<NarrowedRow>> {
  const [all, window] = [yield* filterSessionsInSlices(snapshot, query), windowOf(query)]
  if (query.fields === undefined) return asRendered(yield* renderAll(all, window))
  const named = fieldsNamed(query.fields)
  return yield* renderPageInSlices(all, window, session => narrowRow(row(session), named))
}

const listWork = (...args: Parameters<typeof listInSlices>): InSlices<Windowed<NarrowedRow>> =>
  inSlices(listInSlices(...args))

type Rows = Pick<typeof sessionWriteRoutes, 'sessions.graph.rebuild' | 'sessionRegistry.regenerate'>
