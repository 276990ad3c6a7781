import * as t from 'io-ts'
import { Month } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { gateAnswerWithinMs } from '../host/admin.js'
import { JobEnvelope } from '../host/jobs.js'
import { listOf } from '../list.js'
import { Flag, NameText, windowQuery } from '../query.js'
import { actsOnHost, pipelineRefusals, read, route, type Table } from '../route.js'
import { AwardBlock, AwardUnresolved } from './award.js'

const TextOrNull = t.union([t.string, t.null])
const NumberOrNull = t.union([t.number, t.null])
const Texts = t.readonlyArray(t.string)

/** The effect of a batch on one Postać. `granted` is null when an adopted batch does not record it. */
const PuCredit = t.type({ character: t.string, granted: NumberOrNull, sessions: Texts }, 'PuCredit')

/**
 * A dated batch (A 2.4). With `?character=` it is limited to that Postać: its heading, its sum, the headers
 * that name it. Without, `character` is null, `granted` the sum over `credits` (null when one is unknown),
 * `sessions` all headers.
 */
export const TimelineItem = t.type(
  {
    date: t.string,
    month: TextOrNull,
    source: t.keyof({ legacy: null, batch: null }),
    character: TextOrNull,
    granted: NumberOrNull,
    sessions: Texts,
    credits: t.readonlyArray(PuCredit),
  },
  'PuTimelineItem',
)
export type TimelineItem = t.TypeOf<typeof TimelineItem>
const PuTimeline = listOf(TimelineItem, 'PuTimeline')

/** The settlements, newest first: the day of each and how many sessions it settled (A 2.4). */
const PuHistory = t.type(
  {
    count: t.number,
    assignments: t.readonlyArray(t.type({ date: t.string, sessions: t.number }, 'PuAssignment')),
  },
  'PuHistory',
)

/** The points with which a new character of a player would start (A 2.4). */
const NewCharacterBaseline = t.type(
  { Player: t.string, SumZdobyte: t.number, Startowe: t.number },
  'NewCharacterBaseline',
)

/** A month `YYYY-MM` of a body. */
const MonthText = t.refinement(t.string, (text): boolean => Month.is(text), 'Month')

const award = {
  Applied: t.boolean,
  Month: t.string,
  CountedSessions: Texts,
  SkippedAlreadyCounted: t.number,
  Awards: t.readonlyArray(
    t.type(
      { Character: t.string, Granted: t.number, SumaBefore: t.number, SumaAfter: t.number },
      'MonthAward',
    ),
  ),
  JobId: TextOrNull,
} as const

/** The batch of a month as it was applied (A 2.4). */
export const AwardAnswer = t.type(award, 'AwardAnswer')
export type AwardAnswer = t.TypeOf<typeof AwardAnswer>

/** A difference between the ledger and the lore, which no batch grants or takes back. */
const AwardDrift = t.type(
  {
    Kind: t.keyof({ SessionPoints: null, Suma: null }),
    Header: TextOrNull,
    Character: t.string,
    Was: NumberOrNull,
    Is: NumberOrNull,
  },
  'AwardDrift',
)
export type AwardDrift = t.TypeOf<typeof AwardDrift>

/** Whether the batch counts a session of the month. */
const MonthSession = t.type(
  {
    Header: t.string,
    Counts: t.boolean,
    Why: t.keyof({ Open: null, AlreadySettled: null, NoPoints: null }),
  },
  'MonthSession',
)
export type MonthSession = t.TypeOf<typeof MonthSession>

/** The batch of a month as it would be applied, with what stops it. */
export const AwardPreview = previewOf(
  {
    ...award,
    Blocked: t.readonlyArray(AwardBlock),
    Unresolved: t.readonlyArray(AwardUnresolved),
    Drift: t.readonlyArray(AwardDrift),
    Sessions: t.readonlyArray(MonthSession),
    WithoutAddress: t.readonlyArray(t.string),
  },
  'AwardPreview',
)
export type AwardPreview = t.TypeOf<typeof AwardPreview>

/** The batch of a month (A 4.7). It has no write flag, although it commits: its handler asks the gate (D28). */
export const awardRoutes = {
  'workflows.awardPu': route({
    ...actsOnHost,
    plans: true,
    enacts: true,
    method: 'POST',
    path: '/workflows/award-pu',
    summary: 'Settles the PU of a month, all of it or nothing; `async=true` makes it a job.',
    capability: 'pu.award',
    query: { async: Flag },
    answerWithinMs: gateAnswerWithinMs,
    body: t.partial({ month: MonthText }),
    answers: { 200: t.union([AwardPreview, AwardAnswer], 'AwardBatch'), 202: JobEnvelope },
    refusals: ['MonthRequired', ...pipelineRefusals.write, 'AwardBlocked'],
    source: 'A 4.7, A 2.4, D28, D33',
    example: { query: { async: 'false' }, body: { month: '2026-04' } },
  }),
} as const satisfies Table

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
} as const satisfies Table

const awardWords = {
  Applied: 'Whether the batch changed anything; false in a dry run.',
  Month: 'Month that the batch settles, `YYYY-MM`.',
  CountedSessions: 'Headings of the sessions that the batch settles.',
  SkippedAlreadyCounted: 'Number of sessions of the month that earlier batches settled.',
  Awards: 'What the batch gives, by character; empty where something stops it.',
  JobId: 'Job that is the record of the batch, for `GET /jobs/{id}`; null in a dry run.',
} as const

export const pointsDescriptions: Descriptions = {
  AwardAnswer: awardWords,
  AwardPreview: {
    ...awardWords,
    Blocked: 'Entries that stop the month.',
    Unresolved: 'Names that mean no Postać, or several; they stop the month.',
    Drift:
      'Settled sessions whose PU changed since, and characters whose SUMA is not that of their last award.',
    Sessions: 'Every session of the month, and whether the batch counts it.',
    WithoutAddress: 'Gracze, or Postacie without one, who have no channel for their notice.',
  },
  MonthAward: {
    Character: 'Heading of the character.',
    Granted: 'PU that the batch gives it, two decimals.',
    SumaBefore: 'SUMA before the batch, two decimals.',
    SumaAfter: 'SUMA after it, two decimals.',
  },
  AwardDrift: {
    Kind: 'Whether the PU of a settled session changed, or the SUMA of a character.',
    Header: 'Heading of the session; null for a SUMA.',
    Character: 'Heading of the character.',
    Was: 'Value that the ledger has, two decimals; null where it has none.',
    Is: 'Value that the lore has, two decimals; null where it has none.',
  },
  MonthSession: {
    Header: 'Heading of the session.',
    Counts: 'Whether the batch counts it.',
    Why: 'Whether it is open, settled already, or without PU.',
  },
  PuCredit: {
    character: 'Heading of the character.',
    granted: 'PU that the batch gave it, two decimals; null where an adopted batch does not tell.',
    sessions: 'Headings of the sessions that gave them.',
  },
  PuTimelineItem: {
    date: 'Day of the batch, `YYYY-MM-DD`.',
    month: 'Month that the batch settles, `YYYY-MM`; null where an adopted batch does not tell.',
    source: 'Whether the batch was adopted (`legacy`) or made by the daemon.',
    character: 'Heading of the character of the filter; null without `?character=`.',
    granted: 'PU of that character, or of all, two decimals; null when one number is not known.',
    sessions: 'Headings of the sessions that the batch settled, for that character or all.',
    credits: 'What the batch gave, by character.',
  },
  PuHistory: { assignments: 'The batches, newest first.' },
  PuAssignment: { date: 'Day of the batch, `YYYY-MM-DD`.', sessions: 'Number of sessions that it settled.' },
  NewCharacterBaseline: {
    Player: 'Heading of the person.',
    SumZdobyte: 'PU that the characters of the person have earned altogether, two decimals.',
    Startowe: 'PU that a new character of the person starts with, two decimals.',
  },
}
