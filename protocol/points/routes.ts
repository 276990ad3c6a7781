import { NameText, windowQuery } from '#protocol/query.js'
import { read, type Table } from '#protocol/route.js'
import { Eligibility, NewCharacterBaseline, PuHistory, PuTimeline } from './answers.js'

/** PU reads (A 4.7). `pu.read.own` admits a caller to their own; the history is served whole. */
export const pointsRoutes = {
  'pu.timeline.list': {
    ...read({
      path: '/pu/timeline',
      summary: 'The PU batches, oldest first, whole or of one Postać.',
      capability: 'pu.read',
      query: { character: NameText, ...windowQuery },
      answers: { 200: PuTimeline },
      refusals: ['Forbidden', 'CharacterNotFound'],
      source: 'A 4.7',
      example: { query: { character: 'Wit Kłos', limit: '5', offset: '0' } },
    }),
    own: true,
  },
  'pu.history.list': {
    ...read({
      path: '/pu/history',
      summary: 'When sessions were settled, and how many.',
      capability: 'pu.read',
      query: {},
      answers: { 200: PuHistory },
      refusals: [],
      source: 'A 4.7',
      example: {},
    }),
    own: true,
  },
  'pu.newCharacterCount.get': {
    ...read({
      path: '/pu/new-character-count',
      summary: 'The PU that a new character of a player would start with.',
      capability: 'pu.read',
      query: { player: NameText },
      answers: { 200: NewCharacterBaseline },
      refusals: ['Forbidden', 'ParameterInvalid', 'PersonNotFound'],
      source: 'A 4.7',
      example: { query: { player: 'Brzoza' }, needs: ['player'] },
    }),
    own: true,
  },
  'elections.eligibility.list': {
    ...read({
      path: '/elections/eligibility',
      summary: 'Who may vote: PU above the base and active months in the rolling window.',
      capability: 'pu.read',
      query: { ...windowQuery },
      answers: { 200: Eligibility },
      refusals: ['Forbidden'],
      source: 'A 4.7',
      example: { query: { limit: '5', offset: '0' } },
    }),
    own: true,
  },
} as const satisfies Table
