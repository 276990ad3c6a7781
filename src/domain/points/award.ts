import {
  compareDecimals,
  type Decimal,
  decimalOf,
  formatFixed2,
  initialFigures,
  maxOf,
  minus,
  plus,
  round2,
  sumOf,
  zero,
} from '#src/domain/lore/figures.js'
import { ledgerKey } from '#src/domain/lore/session-header.js'
import { pointsKey } from '#src/domain/sessions/reading/block-content.js'
import { type Award, type Batch, grantOf, type PointsGrant, type PuConstants } from './batches.js'
import {
  type Candidate,
  type LocateCandidate,
  type PuEntry,
  type PuSession,
  placeAmong,
  pointsByCandidate,
  pointsOfEntry,
  sessionsOfMonth,
  type Unresolved,
  unresolvedCandidates,
} from './month-sessions.js'

/**
 * The award of one character for a month: the arithmetic of FORMATS 6.4 and the figures to write. Decimals,
 * unrounded where `PointsGrant` says so.
 */
export interface MonthAward extends PointsGrant {
  readonly character: string
  readonly player: string | null
  readonly sessions: ReadonlyArray<string>
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
  const unresolved = unresolvedCandidates(open, place)
  const deleted = [...pointsByCandidate(open, place)].flatMap(
    ([candidate, { headers }]): ReadonlyArray<Blocked> =>
      candidate.status === 'Usunięty'
        ? [{ reason: 'DeletedCharacter', character: candidate.name, sessions: headers }]
        : [],
  )
  const blocked = [...deleted, ...open.flatMap(session => pointConflicts(session, place))]
  const stopped = unresolved.length > 0 || blocked.length > 0
  return {
    month: input.month,
    countedSessions: stopped ? [] : open.map(session => session.header),
    skippedAlreadyCounted: settled.length,
    awards: stopped ? [] : awardsOf(input, place),
    unresolved,
    blocked,
  }
}

/** The facts in the notice of an award (FORMATS 6.5). */
export interface PointsNotice {
  readonly character: string
  readonly player: string
  readonly granted: Decimal
  readonly sumaAfter: Decimal
  readonly used: Decimal
  readonly nadmiarAfter: Decimal
}

/** The notice for one character, in the exact words that players know (FORMATS 6.5). */
export const noticeOf = (award: PointsNotice): string => {
  const drawn =
    compareDecimals(award.used, zero) > 0 ? `, wykorzystano PU nadmiarowe: ${formatFixed2(award.used)}` : ''
  const left =
    compareDecimals(award.nadmiarAfter, zero) > 0
      ? `, pozostałe PU nadmiarowe: ${formatFixed2(award.nadmiarAfter)}`
      : ''
  return [
    `Postać "${award.character}" (Gracz "${award.player}") otrzymuje ${formatFixed2(award.granted)} PU.`,
    `Aktualna suma PU tej Postaci: ${formatFixed2(award.sumaAfter)}${drawn}${left}`,
  ].join('\n')
}

/** One message per player: the notices of the characters, with a blank line between them (FORMATS 6.5). */
export const messageOf = (awards: ReadonlyArray<PointsNotice>): string => awards.map(noticeOf).join('\n\n')

/**
 * Why a month cannot be settled although every name is known. `SeveralValues`: one copy of a session gives a
 * character two values, or names it in two ways.
 */
interface Blocked {
  readonly reason: 'DeletedCharacter' | 'DifferingCopies' | 'SeveralValues'
  readonly character: string
  readonly sessions: ReadonlyArray<string>
}

/** The inputs of a batch. `sessions` must be merged and in order. */
interface MonthInput {
  readonly month: string
  readonly candidates: ReadonlyArray<Candidate>
  readonly sessions: ReadonlyArray<PuSession>
  readonly history: ReadonlyArray<Batch>
  readonly constants: PuConstants
}

/** Headers that a batch has settled. */
const headersOfHistory = (history: ReadonlyArray<Batch>): ReadonlySet<string> =>
  new Set(history.flatMap(batch => batch.sessions.map(ledgerKey)))

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
  const grown = maxOf(minus(whole.pool, earlier.pool), zero)
  return { base: whole.base, used: zero, overflow: grown, granted, pool: maxOf(plus(own.pool, grown), zero) }
}

const awardOf = (candidate: Candidate, grant: PointsGrant, sessions: ReadonlyArray<string>): MonthAward => {
  const from = initialFigures(candidate.figures)
  return {
    ...grant,
    character: candidate.name,
    player: candidate.player,
    sessions,
    sumaBefore: from.suma,
    sumaAfter: round2(plus(from.suma, grant.granted)),
    zdobyteAfter: round2(plus(from.zdobyte, grant.granted)),
    nadmiarBefore: from.nadmiar,
    nadmiarAfter: grant.pool,
  }
}

const awardsOf = (input: MonthInput, place: LocateCandidate): ReadonlyArray<MonthAward> => {
  const { settled, open } = sessionsOfMonth(input.sessions, input.month, headersOfHistory(input.history))
  const earlier = pointsByCandidate(settled, place)
  const granted = new Map<Candidate, Array<Award>>()
  for (const batch of input.history)
    for (const award of batch.month === input.month ? batch.awards : []) {
      const found = place(award.character)
      if (found._tag === 'One') granted.set(found.candidate, [...(granted.get(found.candidate) ?? []), award])
    }
  return [...pointsByCandidate(open, place)].map(([candidate, now]) => {
    const awards = granted.get(candidate) ?? []
    const own = {
      settled: earlier.get(candidate)?.pu ?? (awards.length > 0 ? zero : null),
      open: now.pu,
      pool: initialFigures(candidate.figures).nadmiar,
    }
    const before = awards.length > 0 ? beforeOf(awards) : null
    return awardOf(candidate, computeGrant(own, before, input.constants), now.headers)
  })
}
