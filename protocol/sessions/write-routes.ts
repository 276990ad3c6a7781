import * as t from 'io-ts'
import { sessionBody } from '#protocol/bounds.js'
import { JobEnvelope } from '#protocol/jobs/job.js'
import { Flag } from '#protocol/query.js'
import { ofHost, route, type Table, write } from '#protocol/route.js'
import { GraphRebuilt, HashAnswer, RebaselineAnswer } from './baseline-answers.js'
import { RegistryAnswer } from './registry-answer.js'
import {
  SessionCreate,
  SessionCreated,
  SessionOpen,
  SessionOpened,
  SessionReport,
  SessionReported,
  SessionWouldCreate,
  SessionWouldOpen,
  SessionWouldReport,
} from './session-body.js'
import { SessionPatch, SessionUpdate } from './session-patch.js'

const Nothing = t.type({}, 'Nothing')

/** Columns that all writes of sessions share. */
const ofSessions = {
  capability: 'session.write',
  own: false,
  query: {},
  source: 'B 4.2',
} as const

/** Writes of sessions (B 4.2). Literal rows must come before `{header}`. */
export const sessionWriteRoutes = {
  'sessions.graph.rebuild': route({
    ...ofHost,
    ...ofSessions,
    method: 'POST',
    path: '/sessions/graph',
    summary: 'Rebuilds the graph of who played together; commits nothing.',
    // No write flag (A 4.1.3), because the graph is derived.
    poolReason: 'memoizes',
    body: Nothing,
    answers: { 200: GraphRebuilt },
    refusals: [],
    source: 'A 4.1.3, B 4.2',
    example: { body: {} },
  }),
  'sessions.hash': write({
    ...ofSessions,
    method: 'POST',
    path: '/sessions/hash',
    summary: 'Accepts the current text of every session, so that none counts as drifted.',
    body: Nothing,
    answers: { 200: HashAnswer },
    refusals: [],
    source: 'B 3, B 4.2',
    example: { body: {} },
  }),
  'sessions.rebaseline': write({
    ...ofSessions,
    method: 'POST',
    path: '/sessions/{header}/rebaseline',
    summary: 'Accepts the current text of one session.',
    body: Nothing,
    answers: { 200: RebaselineAnswer },
    refusals: ['SessionNotFound'],
    source: 'B 3, B 4.2',
    example: { path: { header: '2026-05-20, Wieża/Latarnia, Brzoza' }, body: {} },
  }),
  'sessions.create': write({
    ...ofSessions,
    method: 'POST',
    path: '/sessions',
    summary:
      'Writes a session at its place in time in the file named, or as a draft where sessions are staged.',
    body: SessionCreate,
    bounds: sessionBody,
    answers: { 200: SessionWouldCreate, 201: SessionCreated },
    refusals: ['BoundExceeded', 'ValueRefused', 'TagUnknown', 'NameUnresolved', 'NameTaken'],
    example: {
      body: {
        file: 'sesje/2026.md',
        date: '2026-05-15',
        title: 'Brama',
        narrators: ['Brzoza'],
        content: 'Wit Kłos otworzył bramę.',
        metadata: { pu: [{ character: 'Wit Kłos', value: 0.5 }] },
      },
    },
  }),
  'sessions.update': write({
    ...ofSessions,
    method: 'PATCH',
    path: '/sessions/{header}',
    summary:
      'Replaces prose or blocks of a session or a staged draft in place, or upgrades its blocks; other lines stand.',
    body: SessionPatch,
    bounds: sessionBody,
    answers: { 200: SessionUpdate },
    refusals: [
      'Forbidden',
      'SessionNotFound',
      'BoundExceeded',
      'ValueRefused',
      'TagUnknown',
      'NameUnresolved',
    ],
    example: {
      path: { header: '2026-05-10, Most na Zamorzu, Brzoza' },
      body: { metadata: { pu: [{ character: 'Iskra', value: 1 }] } },
    },
  }),
  'sessions.report': write({
    ...ofSessions,
    method: 'POST',
    path: '/sessions/report',
    summary: 'Files what a player tells of a session below `zgłoszenia/`; it is never a session.',
    capability: 'session.report',
    body: SessionReport,
    bounds: sessionBody,
    answers: { 200: SessionWouldReport, 201: SessionReported },
    refusals: ['BoundExceeded', 'ValueRefused', 'TagUnknown', 'NameUnresolved', 'NameTaken'],
    example: {
      body: { date: '2026-05-15', title: 'Brama', narrators: ['Brzoza'], content: 'Byłem przy bramie.' },
    },
  }),
  'workflows.openSession': write({
    ...ofSessions,
    method: 'POST',
    path: '/workflows/open-session',
    summary:
      'Writes the header of a session about to be played, today and by the caller where not said otherwise.',
    body: SessionOpen,
    bounds: sessionBody,
    answers: { 200: SessionWouldOpen, 201: SessionOpened },
    refusals: ['BoundExceeded', 'ValueRefused', 'TagUnknown', 'NameUnresolved', 'NameTaken'],
    example: { body: { file: 'sesje/2026.md', title: 'Brama', narrators: ['Brzoza'] } },
  }),
  'sessionRegistry.regenerate': write({
    ...ofSessions,
    method: 'POST',
    path: '/session-registry/regenerate',
    summary:
      'Rebuilds the registry of sessions by place and removes files that no place needs; `async=true` makes it a job.',
    capability: 'session-registry.regenerate',
    query: { async: Flag },
    body: Nothing,
    answers: { 200: RegistryAnswer, 202: JobEnvelope },
    refusals: [],
    source: 'B 2.2, B 4.2',
    example: { query: { async: 'false' }, body: {} },
  }),
} as const satisfies Table
