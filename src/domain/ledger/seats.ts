import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import type { Holder, RefRow } from '#protocol/lore/ledger.js'
import { isInForceOn, isTakingOffice, lastDayOf, type Transition } from './calendar.js'

/** A finding of a replay about a row, without its place. */
export interface SeatNotice {
  readonly kind:
    | 'GovernanceLeaveWithoutHold'
    | 'GovernanceDoubleAppoint'
    | 'GovernanceSilentSuccession'
    | 'GovernanceReturnWithoutLeave'
  readonly row: Transition
  readonly reason: string
}

/**
 * Replays the rows of a role ref, all of them on or before `at`: only `appoint` changes membership, the ops
 * of absence change `absent` and `suspended` (B 4.9). Linear in the rows.
 */
export const seatsOf = (
  ref: RefRow,
  rows: ReadonlyArray<Transition>,
  at: Day,
): { readonly holders: ReadonlyArray<Holder>; readonly noticed: ReadonlyArray<SeatNotice> } => {
  const seats: Seats = { ref, holds: new Map(), presence: new Map(), noticed: [], term: null }
  for (const row of rows) {
    const key = nameKey(row.subject ?? '')
    if (row.op === 'appoint') appoint(seats, key, row)
    else if (row.op === 'return') returnMember(seats, key, row)
    else goAway(seats, key, row)
  }
  const holders = [...seats.holds]
    .filter(([, hold]) => isInForceOn(hold.last, at))
    .map(([key, hold]) => holderOf(hold, seats.presence.get(key) ?? appointed, at))
  return { holders: holders.sort(bySince), noticed: seats.noticed }
}

interface Hold {
  readonly since: Day
  readonly last: Day | null
  readonly row: Transition
}

interface Presence {
  readonly absent: boolean | null
  readonly suspended: boolean
  /** The stated last day of a suspension; the ledger says nothing about later days. */
  readonly suspendedTo: Day | null
}

/** The state of a role ref during a replay. The maps are mutated row by row and never leave it. */
interface Seats {
  readonly ref: RefRow
  readonly holds: Map<NameKey, Hold>
  readonly presence: Map<NameKey, Presence>
  readonly noticed: Array<SeatNotice>
  term: Day | null
}

const appointed: Presence = { absent: null, suspended: false, suspendedTo: null }

const quoteSubject = (row: Transition): string => `„${row.subject ?? ''}”`

const isAway = (presence: Presence | undefined): boolean =>
  presence !== undefined && (presence.absent === true || presence.suspended)

const holdOn = (seats: Seats, key: NameKey, day: Day): Hold | null => {
  const hold = seats.holds.get(key)
  return hold !== undefined && isInForceOn(hold.last, day) ? hold : null
}

/** The first appointment of a 31 December ends every hold of the kadencja before (D45). */
const beginTerm = (seats: Seats, day: Day): void => {
  if (!seats.ref.term || !isTakingOffice(day) || seats.term === day) return
  seats.term = day
  for (const [key, hold] of seats.holds) if (hold.since < day) seats.holds.delete(key)
}

/**
 * On a ref of one seat an appointment removes the previous holder; it reports this when the ledger recorded
 * no end before.
 */
const evict = (seats: Seats, successor: NameKey, row: Transition): void => {
  if (seats.ref.cardinality !== 'one') return
  for (const [key, hold] of seats.holds) {
    if (key === successor) continue
    seats.holds.delete(key)
    if (hold.row.until !== null || isAway(seats.presence.get(key))) continue
    seats.noticed.push({
      kind: 'GovernanceSilentSuccession',
      row,
      reason: `${quoteSubject(row)} obejmuje funkcję po ${quoteSubject(hold.row)}, a odejścia księga nie odnotowała.`,
    })
  }
}

const appoint = (seats: Seats, key: NameKey, row: Transition): void => {
  beginTerm(seats, row.date)
  evict(seats, key, row)
  const held = holdOn(seats, key, row.date)
  if (held !== null)
    seats.noticed.push({
      kind: 'GovernanceDoubleAppoint',
      row,
      reason: `${quoteSubject(row)}: funkcja pełniona już od ${held.since}.`,
    })
  else seats.presence.set(key, appointed)
  seats.holds.set(key, { since: held?.since ?? row.date, last: lastDayOf(row), row })
}

const goAway = (seats: Seats, key: NameKey, row: Transition): void => {
  if (holdOn(seats, key, row.date) === null)
    seats.noticed.push({
      kind: 'GovernanceLeaveWithoutHold',
      row,
      reason: `${quoteSubject(row)}: brak funkcji w dniu ${row.date}, a księga odnotowuje „${row.op}”.`,
    })
  const before = seats.presence.get(key) ?? appointed
  seats.presence.set(
    key,
    row.op === 'suspend'
      ? { ...before, suspended: true, suspendedTo: lastDayOf(row) }
      : { ...before, absent: true },
  )
}

const returnMember = (seats: Seats, key: NameKey, row: Transition): void => {
  if (!isAway(seats.presence.get(key)))
    seats.noticed.push({
      kind: 'GovernanceReturnWithoutLeave',
      row,
      reason: `${quoteSubject(row)}: powrót, choć księga nie odnotowała odejścia.`,
    })
  seats.presence.set(key, { absent: false, suspended: false, suspendedTo: null })
}

const holderOf = (hold: Hold, presence: Presence, at: Day): Holder => ({
  subject: hold.row.subject ?? '',
  since: hold.since,
  until: hold.row.until,
  grade: hold.row.value === null ? null : String(hold.row.value),
  suspended: presence.suspended && !isInForceOn(presence.suspendedTo, at) ? null : presence.suspended,
  absent: presence.absent,
  confidence: hold.row.confidence,
  source_authority: hold.row.source_authority,
  evidence: hold.row.evidence,
})

const bySince = (left: Holder, right: Holder): number =>
  left.since < right.since ? -1 : left.since > right.since ? 1 : left.subject < right.subject ? -1 : 1
