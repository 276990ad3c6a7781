import type { NameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  deriveFigures,
  formatFixed2,
  initialFigures,
  maxOf,
  minus,
  plus,
  readDecimal,
  round2,
  sumOf,
  zero,
} from '#src/domain/lore/figures.js'
import { ledgerKey } from '#src/domain/lore/session-header.js'
import { pointsKey } from '#src/domain/sessions/reading/block-content.js'
import { type Award, type Batch, grantOf, type PointsGrant, type PuConstants } from './batches.js'
import type { SessionsByKey } from './credits.js'
import {
  type Candidate,
  type LocateCandidate,
  type PuEntry,
  type PuSession,
  placeAmong,
  pointsByCandidate,
  pointsOfEntry,
  pointsOfSession,
  type SessionPu,
  sessionsOfMonth,
  type Unresolved,
  unresolvedCandidates,
} from './month-sessions.js'

/**
 * The award of one character for a month: the arithmetic of FORMATS 6.4 and the figures to write. Decimals,
 * unrounded where `PointsGrant` says so, but `granted`, which is the rise of SUMA.
 */
export interface MonthAward extends PointsGrant {
  readonly character: string
  readonly player: string | null
  readonly sessions: ReadonlyArray<SessionPu>
  readonly sumaBefore: Decimal
  readonly sumaAfter: Decimal
  readonly zdobyteAfter: Decimal
  readonly nadmiarBefore: Decimal
  readonly nadmiarAfter: Decimal
}

/**
 * The batch of a month as it would be applied. When anything is unresolved or blocked, `awards` is empty (A
 * 4.7).
 */
export interface MonthBatch {
  readonly month: string
  /** Headers of the sessions that no batch has settled; what stops the month may be among them. */
  readonly openSessions: ReadonlyArray<string>
  readonly countedSessions: ReadonlyArray<string>
  readonly skippedAlreadyCounted: number
  readonly awards: ReadonlyArray<MonthAward>
  readonly unresolved: ReadonlyArray<Unresolved>
  readonly blocked: ReadonlyArray<Blocked>
}

/**
 * Computes the batch of a month. Base and cap apply per character and calendar month: a second batch grants
 * only the difference between the whole month and what was granted (FORMATS 6.1). One unknown name stops the
 * whole month (A 4.7).
 */
export const monthBatch = (input: MonthInput): MonthBatch => {
  const place = placeAmong(input.candidates)
  const { settled, open } = sessionsOfMonth(input.sessions, input.month, headersOfHistory(input.history))
  const { unresolved, blocked } = stopsIn(open, place)
  const stopped = unresolved.length > 0 || blocked.length > 0
  return {
    month: input.month,
    openSessions: open.map(session => session.header),
    countedSessions: stopped ? [] : open.map(session => session.header),
    skippedAlreadyCounted: settled.length,
    awards: stopped ? [] : awardsOf(input, place),
    unresolved,
    blocked,
  }
}

/** What stops a month: names and entries in the PU of its sessions that no batch settled. */
export const stopsIn = (
  open: ReadonlyArray<PuSession>,
  place: LocateCandidate,
): Pick<MonthBatch, 'unresolved' | 'blocked'> => {
  const deleted = [...pointsByCandidate(open, place)].flatMap(
    ([candidate, { sessions }]): ReadonlyArray<Blocked> =>
      candidate.status === 'Usunięty'
        ? [
            {
              reason: 'DeletedCharacter',
              character: candidate.name,
              sessions: sessions.map(({ session }) => session),
            },
          ]
        : [],
  )
  return {
    unresolved: unresolvedCandidates(open, place),
    blocked: [
      ...deleted,
      ...open.flatMap(malformedValues),
      ...open.flatMap(session => pointConflicts(session, place)),
    ],
  }
}

/** The facts in the notice of an award (FORMATS 6.5). */
export interface PointsNotice {
  readonly character: string
  readonly player: string
  readonly granted: Decimal
  readonly sumaAfter: Decimal
  readonly used: Decimal
  readonly nadmiarBefore: Decimal
  readonly nadmiarAfter: Decimal
}

/**
 * The notice for one character, in the exact words that players know (FORMATS 6.5). A message has those of a
 * player, with a blank line between them.
 */
export const noticeOf = (award: PointsNotice): string => {
  const drawn =
    compareDecimals(award.used, zero) > 0 ? `, wykorzystano PU nadmiarowe: ${formatFixed2(award.used)}` : ''
  const left =
    compareDecimals(award.nadmiarAfter, zero) > 0
      ? `, pozostałe PU nadmiarowe: ${formatFixed2(award.nadmiarAfter)}`
      : ''
  const grew = round2(minus(award.nadmiarAfter, award.nadmiarBefore))
  const isSaved = compareDecimals(award.granted, zero) === 0 && compareDecimals(grew, zero) > 0
  const whose = `Postać "${award.character}" (Gracz "${award.player}")`
  return [
    isSaved
      ? `${whose} osiągnęła już miesięczny limit PU: ${formatFixed2(grew)} PU trafia do jej PU nadmiarowych.`
      : `${whose} otrzymuje ${formatFixed2(award.granted)} PU.`,
    `Aktualna suma PU tej Postaci: ${formatFixed2(award.sumaAfter)}${drawn}${left}`,
  ].join('\n')
}

/**
 * Why a month cannot be settled although every name is known. `SeveralValues`: one copy of a session gives a
 * character two values, or names it in two ways. `MalformedValue`: a PU line without a number.
 */
export interface Blocked {
  readonly reason: 'DeletedCharacter' | 'DifferingCopies' | 'SeveralValues' | 'MalformedValue'
  readonly character: string
  readonly sessions: ReadonlyArray<string>
}

/**
 * A difference between the ledger and what the lore says now. A batch never grants or takes it back in passing.
 * `SessionPoints`: the PU that a settled session gives a character; null where it gives or gave none.
 * `Suma`: SUMA after the last award of a character, and its SUMA now.
 */
export interface PointsDrift {
  readonly what: 'SessionPoints' | 'Suma'
  readonly header: string | null
  readonly character: string
  readonly was: Decimal | null
  readonly is: Decimal | null
}

/** Every difference between the ledger and the lore, in the order of the ledger, as far as its rows record PU. */
export const driftOf = (
  history: ReadonlyArray<Batch>,
  sessions: SessionsByKey,
  place: LocateCandidate,
): ReadonlyArray<PointsDrift> => [
  ...history.flatMap(batch => sessionDrift(batch, sessions, place)),
  ...sumaDrift(history, place),
]

/** The inputs of a batch. `sessions` must be merged and in order. */
interface MonthInput {
  readonly month: string
  readonly candidates: ReadonlyArray<Candidate>
  readonly sessions: ReadonlyArray<PuSession>
  readonly history: ReadonlyArray<Batch>
  readonly constants: PuConstants
}

/** The keys of the sessions of a batch, by their headers. */
const keysOf = perValue(
  ({ sessions }: Batch): ReadonlyMap<string, NameKey> =>
    new Map(sessions.map(header => [header, ledgerKey(header)])),
)

/** Keys of the sessions that a batch has settled. */
const headersOfHistory = perValue((history: ReadonlyArray<Batch>): ReadonlySet<string> => {
  const keys = new Set<string>()
  for (const batch of history) for (const key of keysOf(batch).values()) keys.add(key)
  return keys
})

const malformedValues = (session: PuSession): ReadonlyArray<Blocked> => {
  const bad = session.points.filter(({ value }) => value === null).map(({ character }) => character)
  return [...new Set(bad)].map(character => ({
    reason: 'MalformedValue',
    character,
    sessions: [session.header],
  }))
}

/** The differences of one batch; none where it does not record what its sessions gave. */
const sessionDrift = (
  batch: Batch,
  sessions: SessionsByKey,
  place: LocateCandidate,
): ReadonlyArray<PointsDrift> => {
  if (!recordsPoints(batch)) return []
  const recorded = recordedBy(batch, place)
  return [...keysOf(batch)].flatMap(([header, key]) => {
    const session = sessions.get(key)
    if (session === undefined) return []
    const [was, now] = [recorded.get(key) ?? nothingRecorded, pointsOfSession(session, place)]
    return [...new Set([...was.keys(), ...now.keys()])].flatMap((candidate): ReadonlyArray<PointsDrift> => {
      const [before, is] = [was.get(candidate) ?? null, now.get(candidate) ?? null]
      return isSame(before, is)
        ? []
        : [{ what: 'SessionPoints', header, character: candidate.name, was: before, is }]
    })
  })
}

/** The PU that a batch recorded, by the key of the session, in one pass over its awards. */
const recordedBy = (
  batch: Batch,
  place: LocateCandidate,
): ReadonlyMap<NameKey, ReadonlyMap<Candidate, Decimal>> => {
  const keys = keysOf(batch)
  const recorded = new Map<NameKey, Map<Candidate, Decimal>>()
  for (const { character, points = [] } of batch.awards) {
    const found = place(character)
    if (found._tag !== 'One') continue
    // Of two entries of one session in an award the first counts.
    for (const { session, pu } of points.toReversed()) {
      const key = keys.get(session) ?? ledgerKey(session)
      const own = recorded.get(key) ?? new Map<Candidate, Decimal>()
      recorded.set(key, own.set(found.candidate, readDecimal(pu, 'none') ?? zero))
    }
  }
  return recorded
}

const nothingRecorded: ReadonlyMap<Candidate, Decimal> = new Map()

const sumaDrift = (history: ReadonlyArray<Batch>, place: LocateCandidate): ReadonlyArray<PointsDrift> => {
  const last = new Map<Candidate, Decimal>()
  for (const { character, sumaAfter } of history.flatMap(batch => batch.awards)) {
    const found = place(character)
    const suma = sumaAfter === null ? null : decimalOf(sumaAfter)
    if (found._tag === 'One' && suma !== null) last.set(found.candidate, suma)
  }
  return [...last].flatMap(([candidate, was]): ReadonlyArray<PointsDrift> => {
    const is = deriveFigures(candidate.figures).suma
    return isSame(was, is) ? [] : [{ what: 'Suma', header: null, character: candidate.name, was, is }]
  })
}

const isSame = (one: Decimal | null, other: Decimal | null): boolean =>
  one === null || other === null ? one === other : compareDecimals(one, other) === 0

const pointConflicts = (session: PuSession, place: LocateCandidate): ReadonlyArray<Blocked> => {
  const values = new Map<Candidate, Decimal>()
  const blocked = new Map<string, Blocked['reason']>()
  for (const copy of session.copies.length > 0 ? session.copies : [session.points]) {
    const own = new Map<Candidate, { readonly first: PuEntry; readonly sum: Decimal }>()
    for (const entry of copy) {
      const found = place(entry.character)
      if (found._tag !== 'One') continue
      const { first, sum } = own.get(found.candidate) ?? { first: entry, sum: zero }
      own.set(found.candidate, { first, sum: plus(sum, pointsOfEntry(entry)) })
      if (pointsKey(first) !== pointsKey(entry)) blocked.set(found.candidate.name, 'SeveralValues')
    }
    for (const [candidate, { sum }] of own) {
      const known = values.get(candidate)
      if (known !== undefined && compareDecimals(known, sum) !== 0 && !blocked.has(candidate.name))
        blocked.set(candidate.name, 'DifferingCopies')
      if (known === undefined) values.set(candidate, sum)
    }
  }
  return [...blocked].map(([character, reason]) => ({ reason, character, sessions: [session.header] }))
}

/**
 * The effect of earlier batches of the month on a character; null when a batch does not record what it
 * granted.
 */
interface Before {
  readonly granted: Decimal
  /** The pool before the first of these batches. */
  readonly pool: Decimal
}

const beforeOf = (awards: ReadonlyArray<Award>): Before | null => {
  const granted = awards.map(award => (award.granted === null ? null : decimalOf(award.granted)))
  const first = awards[0]?.nadmiarBefore ?? null
  const pool = first === null ? null : decimalOf(first)
  const known = granted.filter(value => value !== null)
  return pool === null || known.length < granted.length ? null : { granted: sumOf(known), pool }
}

/** The award of a month, or the rest of it when earlier batches settled a part (FORMATS 6.1). */
const computeGrant = (
  own: { readonly settled: Decimal | null; readonly open: Decimal; readonly pool: Decimal },
  before: Before | null,
  rule: PuConstants,
): PointsGrant => {
  if (own.settled === null) return grantOf(own.open, own.pool, rule)
  // Without a record of earlier grants only the sessions count, and the pool is not used.
  const start = before?.pool ?? zero
  const whole = grantOf(plus(own.settled, own.open), start, rule)
  const earlier = grantOf(own.settled, start, rule)
  const granted = maxOf(minus(whole.granted, before?.granted ?? earlier.granted), zero)
  const grown = maxOf(minus(round2(whole.pool), round2(earlier.pool)), zero)
  return { base: whole.base, used: zero, overflow: grown, granted, pool: maxOf(plus(own.pool, grown), zero) }
}

const awardOf = (
  candidate: Candidate,
  grant: PointsGrant,
  sessions: ReadonlyArray<SessionPu>,
): MonthAward => {
  const from = initialFigures(candidate.figures)
  const sumaAfter = round2(plus(from.suma, grant.granted))
  return {
    ...grant,
    // By as much as SUMA rises: what the rows of a month grant together is then exact, and never above the cap.
    granted: minus(sumaAfter, from.suma),
    character: candidate.name,
    player: candidate.player,
    sessions,
    sumaBefore: from.suma,
    sumaAfter,
    zdobyteAfter: round2(plus(from.zdobyte, grant.granted)),
    nadmiarBefore: from.nadmiar,
    nadmiarAfter: grant.pool,
  }
}

const recordsPoints = ({ source, awards }: Batch): boolean =>
  source === 'batch' && awards.every(({ points }) => points !== undefined)

/**
 * The PU that settled sessions of the month gave each character: as the ledger recorded them, so that what changed
 * since is not granted in passing; as the lore has them now where no row recorded them.
 */
const settledPoints = (
  { month, history }: MonthInput,
  settled: ReadonlyArray<PuSession>,
  place: LocateCandidate,
): ReadonlyMap<Candidate, Decimal> => {
  const recorded = history.filter(batch => batch.month === month && recordsPoints(batch))
  const known = headersOfHistory(recorded)
  const unrecorded = settled.filter(session => !known.has(ledgerKey(session.header)))
  const sums = new Map<Candidate, Decimal>()
  const add = (candidate: Candidate, pu: Decimal): void =>
    void sums.set(candidate, plus(sums.get(candidate) ?? zero, pu))
  for (const [candidate, { pu }] of pointsByCandidate(unrecorded, place)) add(candidate, pu)
  for (const { character, points = [] } of recorded.flatMap(batch => batch.awards)) {
    const found = place(character)
    if (found._tag !== 'One') continue
    for (const { pu } of points) add(found.candidate, readDecimal(pu, 'none') ?? zero)
  }
  return sums
}

const awardsOf = (input: MonthInput, place: LocateCandidate): ReadonlyArray<MonthAward> => {
  const { settled, open } = sessionsOfMonth(input.sessions, input.month, headersOfHistory(input.history))
  const earlier = settledPoints(input, settled, place)
  const granted = new Map<Candidate, Array<Award>>()
  for (const batch of input.history)
    for (const award of batch.month === input.month ? batch.awards : []) {
      const found = place(award.character)
      if (found._tag === 'One') granted.set(found.candidate, [...(granted.get(found.candidate) ?? []), award])
    }
  return [...pointsByCandidate(open, place)].map(([candidate, now]) => {
    const awards = granted.get(candidate) ?? []
    const own = {
      settled: earlier.get(candidate) ?? (awards.length > 0 ? zero : null),
      open: now.pu,
      pool: initialFigures(candidate.figures).nadmiar,
    }
    const before = awards.length > 0 ? beforeOf(awards) : null
    return awardOf(candidate, computeGrant(own, before, input.constants), now.sessions)
  })
}
