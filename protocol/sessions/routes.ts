import { DayText, Text, windowQuery } from '#protocol/query.js'
import { ofHost, type Route, read, route, type Table } from '#protocol/route.js'
import {
  BatchBody,
  CompareBody,
  DivergenceList,
  NarratorProfile,
  OpenSessions,
  SessionBatch,
  SessionComparison,
  SessionGraph,
  SessionIntegrity,
  SessionList,
  SessionSummaryList,
  StagedSessions,
} from './answers.js'
import { SessionFetch } from './session.js'

const listQuery = {
  narrator: Text,
  from: DayText,
  to: DayText,
  entity: Text,
  fields: Text,
  ...windowQuery,
} as const

/** Columns of a question whose parameters are too long for a query: a POST that writes nothing. */
const question = {
  ...ofHost,
  method: 'POST',
  capability: 'session.read',
  query: {},
  source: 'B 4.2',
} as const satisfies Partial<Route>

export const sessionsRoutes = {
  'sessions.list': read({
    path: '/sessions',
    summary: 'Sessions, oldest first, filtered; `fields` narrows each row after paging.',
    capability: 'session.read',
    query: listQuery,
    wholeCorpus: true,
    answers: { 200: SessionList },
    refusals: [],
    source: 'B 4.2',
    example: {
      query: {
        narrator: 'Brzoza',
        from: '2026-01-01',
        to: '2026-12-31',
        entity: 'Wit Kłos',
        fields: 'Title',
        limit: '5',
        offset: '0',
      },
    },
  }),
  'sessions.summary.list': read({
    path: '/sessions/summary',
    summary: 'Sessions without `Description` and `LogStates`.',
    capability: 'session.read',
    query: listQuery,
    wholeCorpus: true,
    answers: { 200: SessionSummaryList },
    refusals: [],
    source: 'B 4.2',
    example: {
      query: {
        narrator: 'Brzoza',
        from: '2026-01-01',
        to: '2026-12-31',
        entity: 'Wit Kłos',
        fields: 'Title',
        limit: '5',
        offset: '0',
      },
    },
  }),
  'sessions.integrity.list': read({
    path: '/sessions/integrity',
    summary:
      'What the readers of sessions noticed, effects that were refused, and drift from the baselined text.',
    capability: 'session.read',
    query: { ...windowQuery },
    answers: { 200: SessionIntegrity },
    refusals: [],
    source: 'B 4.2',
    example: { query: { limit: '5', offset: '0' } },
  }),
  'sessions.divergence.list': read({
    path: '/sessions/divergence',
    summary: 'Sessions whose copies in several files differ, field by field.',
    capability: 'session.read',
    query: { ...windowQuery },
    answers: { 200: DivergenceList },
    refusals: [],
    source: 'B 4.2',
    example: { query: { limit: '5', offset: '0' } },
  }),
  'sessions.graph.get': read({
    path: '/sessions/graph',
    summary: 'Who played together, and how often.',
    capability: 'session.read',
    query: {},
    answers: { 200: SessionGraph },
    refusals: [],
    source: 'B 4.2',
    example: {},
  }),
  'sessions.open.list': read({
    path: '/sessions/open',
    summary: 'Sessions neither closed nor distributed; `narrator` folds to the person.',
    capability: 'session.read',
    query: { narrator: Text },
    answers: { 200: OpenSessions },
    refusals: [],
    source: 'B 4.2',
    example: { query: { narrator: 'Brzoza' } },
  }),
  'sessions.staged.list': read({
    path: '/sessions/staged',
    summary: 'Drafts of sessions that are staged and stand in no file yet, oldest first.',
    capability: 'session.read',
    query: { ...windowQuery },
    answers: { 200: StagedSessions },
    refusals: [],
    source: 'B 4.2',
    example: { query: { limit: '5', offset: '0' } },
  }),
  'sessions.get': read({
    path: '/sessions/{header}',
    summary: 'One session by its header.',
    capability: 'session.read',
    query: {},
    answers: { 200: SessionFetch },
    refusals: ['SessionNotFound'],
    source: 'B 4.2',
    example: { path: { header: '2026-05-20, Wieża/Latarnia, Brzoza' } },
  }),
  'sessions.narratorProfile.get': read({
    path: '/sessions/narrator/{nick}/profile',
    summary: 'A narrator over all sessions, folded to the person.',
    capability: 'session.read',
    query: {},
    answers: { 200: NarratorProfile },
    refusals: ['NarratorNotFound'],
    source: 'B 4.2',
    example: { path: { nick: 'Brzoza' } },
  }),
  'sessions.batch.list': route({
    ...question,
    path: '/sessions/batch',
    summary:
      'At most 200 sessions by their headers, each once, in the order asked; unknown headers are listed.',
    body: BatchBody,
    answers: { 200: SessionBatch },
    refusals: ['BodyInvalid', 'AnswerTooLarge'],
    example: {
      body: { headers: ['2026-05-10, Most na Zamorzu, Brzoza', '2026-05-20, Wieża/Latarnia, Brzoza'] },
    },
  }),
  'sessions.compare': route({
    ...question,
    path: '/sessions/compare',
    summary: 'What at most 200 sessions share, and what each alone has.',
    body: CompareBody,
    answers: { 200: SessionComparison },
    refusals: ['BodyInvalid', 'SessionNotFound'],
    example: {
      body: { headers: ['2026-05-10, Most na Zamorzu, Brzoza', '2026-05-20, Wieża/Latarnia, Brzoza'] },
    },
  }),
} as const satisfies Table
