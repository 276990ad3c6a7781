import {
  compareDecimals,
  type Decimal,
  deriveFigures,
  floorQuotient,
  maxOf,
  plus,
  sumOf,
  times,
  zero,
} from '#src/domain/lore/figures.js'
import type { PuConstants } from './batches.js'
import type { Candidate } from './month-sessions.js'

/** The points with which a new character of a player starts (FORMATS 6.6). */
export interface Baseline {
  readonly sumZdobyte: Decimal
  readonly startowe: Decimal
  /** Names of the characters that count: those with STARTOWE above zero. */
  readonly included: ReadonlyArray<string>
  readonly excluded: ReadonlyArray<string>
}

const counts = (candidate: Candidate): boolean =>
  candidate.figures.startowe !== null && compareDecimals(candidate.figures.startowe, zero) > 0

/**
 * floor(sum of ZDOBYTE / divisor + bonus), but not less than the floor. `own` are all characters of the
 * player, with any status.
 */
export const baselineOf = (own: ReadonlyArray<Candidate>, rule: PuConstants['newCharacter']): Baseline => {
  const included = own.filter(counts)
  const sumZdobyte = sumOf(included.map(candidate => deriveFigures(candidate.figures).zdobyte ?? zero))
  const start = floorQuotient(plus(sumZdobyte, times(rule.bonus, rule.divisor)), rule.divisor)
  return {
    sumZdobyte,
    startowe: maxOf(start ?? rule.floor, rule.floor),
    included: included.map(candidate => candidate.name),
    excluded: own.filter(candidate => !counts(candidate)).map(candidate => candidate.name),
  }
}
