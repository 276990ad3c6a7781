import { nameKey } from '#protocol/atoms.js'
import { compareDecimals, type Decimal, decimalOf, minus, plus, zero } from '#src/domain/lore/figures.js'
import { ledgerKey } from '#src/domain/lore/session-header.js'
import {
  type DatedBatch,
  grantOf,
  monthsBefore,
  type PuConstants,
  processingMonthOf,
} from '#src/domain/points/batches.js'
import { type SessionsByKey, sessionsByKey } from '#src/domain/points/credits.js'
import {
  type Candidate,
  type LocateCandidate,
  type PuSession,
  placeAmong,
  pointsByCandidate,
} from '#src/domain/points/month-sessions.js'

/**
 * A voter. `puScore` is the PU above the base, summed over their characters and months; `activeMonths` counts
 * the months with an award to any of their characters; `total` is the sum of both.
 */
export interface Voter {
  readonly player: string
  readonly puScore: Decimal
  readonly activeMonths: number
  readonly total: Decimal
  readonly status: 'UPRAWNIONY' | 'NIEUPRAWNIONY'
}

/**
 * The grants of each character in each month of the window, oldest first; a grant belongs to the month in
 * which its batch ran. A recorded grant is used as it is; a missing one is replayed from the sessions, with
 * pools that start at zero and carry over (FORMATS 6.6). Names of no character are skipped.
 */
export const grantsByMonth = (input: ElectionInput): ReadonlyArray<MonthGrant> => {
  const first = monthsBefore(input.today, input.constants.electionWindowMonths)
  const inWindow = input.history.filter(batch => processingMonthOf(batch) >= first)
  const [place, all] = [placeAmong(input.candidates), sessionsByKey(input.sessions)]
  const pools = new Map<Candidate, Decimal>()
  return [...new Set(inWindow.map(processingMonthOf))].sort().flatMap(month => {
    const batches = inWindow.filter(batch => processingMonthOf(batch) === month)
    const recorded = recordsByCandidate(batches, place)
    const untold = batches.filter(batch => batch.source === 'legacy')
    const earned = pointsByCandidate(sessionsOf(untold, all), place)
    const replayed = [...earned].filter(([candidate]) => !recorded.has(candidate))
    for (const [candidate, { pool }] of recorded) if (pool !== null) pools.set(candidate, pool)
    return [
      ...[...recorded].map(([candidate, { granted }]) => ({ month, candidate, granted })),
      ...replayed.map(([candidate, { pu }]) => {
        const grant = grantOf(pu, pools.get(candidate) ?? zero, input.constants)
        pools.set(candidate, grant.pool)
        return { month, candidate, granted: grant.granted }
      }),
    ]
  })
}

/**
 * The electoral roll of a day: players who reach the threshold first, each group by name (FORMATS 6.6,
 * "specification").
 */
export const eligibilityOf = (input: ElectionInput): ReadonlyArray<Voter> => {
  const counts = new Map<string, Count>(
    input.players.map(player => [nameKey(player), { player, score: zero, months: new Set() }]),
  )
  for (const { month, candidate, granted } of grantsByMonth(input)) {
    if (candidate.player === null) continue
    const key = nameKey(candidate.player)
    const count: Count = counts.get(key) ?? { player: candidate.player, score: zero, months: new Set() }
    count.score = plus(count.score, minus(granted, input.constants.monthlyBase))
    count.months.add(month)
    counts.set(key, count)
  }
  return [...counts.values()]
    .map(count => voterOf(count, input.constants.electionThreshold))
    .sort((left, right) => (rank(left) < rank(right) ? -1 : 1))
}

/** The inputs of eligibility. `players` are listed even without any PU. */
interface ElectionInput {
  readonly today: string
  readonly players: ReadonlyArray<string>
  readonly candidates: ReadonlyArray<Candidate>
  readonly sessions: ReadonlyArray<PuSession>
  readonly history: ReadonlyArray<DatedBatch>
  readonly constants: PuConstants
}

/** The PU that a character was granted in a month. */
interface MonthGrant {
  readonly month: string
  readonly candidate: Candidate
  readonly granted: Decimal
}

const sessionsOf = (batches: ReadonlyArray<DatedBatch>, all: SessionsByKey): ReadonlyArray<PuSession> =>
  [...new Set(batches.flatMap(batch => batch.sessions.map(ledgerKey)))].flatMap(key => all.get(key) ?? [])

interface Recorded {
  granted: Decimal
  pool: Decimal | null
}

const recordsByCandidate = (
  batches: ReadonlyArray<DatedBatch>,
  place: LocateCandidate,
): ReadonlyMap<Candidate, Recorded> => {
  const recorded = new Map<Candidate, Recorded>()
  for (const award of batches.flatMap(batch => batch.awards)) {
    const found = place(award.character)
    const granted = award.granted === null ? null : decimalOf(award.granted)
    if (found._tag !== 'One' || granted === null) continue
    const pool = award.nadmiarAfter === null ? null : decimalOf(award.nadmiarAfter)
    const before = recorded.get(found.candidate)?.granted ?? zero
    recorded.set(found.candidate, { granted: plus(before, granted), pool })
  }
  return recorded
}

/** Mutable state of a count; it never leaves this file. */
interface Count {
  readonly player: string
  score: Decimal
  readonly months: Set<string>
}

const voterOf = (count: Count, threshold: Decimal): Voter => {
  const total = plus(count.score, { units: BigInt(count.months.size), scale: 0 })
  const status = compareDecimals(total, threshold) >= 0 ? 'UPRAWNIONY' : 'NIEUPRAWNIONY'
  return { player: count.player, puScore: count.score, activeMonths: count.months.size, total, status }
}

const rank = (voter: Voter): string => `${voter.status === 'UPRAWNIONY' ? '0' : '1'}${nameKey(voter.player)}`
