import * as t from 'io-ts'
import { listOf } from '#protocol/list.js'

const TextOrNull = t.union([t.string, t.null])
const NumberOrNull = t.union([t.number, t.null])
const Texts = t.readonlyArray(t.string)

/** The effect of a batch on one Postać. `granted` is null when an adopted batch does not record it. */
export const PuCredit = t.type({ character: t.string, granted: NumberOrNull, sessions: Texts }, 'PuCredit')

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
export const PuTimeline = listOf(TimelineItem, 'PuTimeline')

/** The settlements, newest first: the day of each and how many sessions it settled (A 2.4). */
export const PuHistory = t.type(
  {
    count: t.number,
    assignments: t.readonlyArray(t.type({ date: t.string, sessions: t.number }, 'PuAssignment')),
  },
  'PuHistory',
)

/** The points with which a new character of a player would start (A 2.4). */
export const NewCharacterBaseline = t.type(
  { Player: t.string, SumZdobyte: t.number, Startowe: t.number },
  'NewCharacterBaseline',
)

/** A row of the electoral roll (A 2.4). */
export const EligibilityRow = t.type(
  {
    Gracz: t.string,
    PuScore: t.number,
    ActiveMonths: t.number,
    Total: t.number,
    Status: t.keyof({ UPRAWNIONY: null, NIEUPRAWNIONY: null }),
  },
  'EligibilityRow',
)
export const Eligibility = listOf(EligibilityRow, 'Eligibility')
