import * as t from 'io-ts'
import type { Descriptions } from '../description.js'
import { listOf } from '../list.js'
import { NameText, windowQuery } from '../query.js'
import { read, type Table } from '../route.js'

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

export const pointsDescriptions: Descriptions = {
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
