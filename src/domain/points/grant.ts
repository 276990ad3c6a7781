import { compareDecimals, type Decimal, maxOf, minOf, minus, plus, zero } from '#src/domain/lore/decimal.js'

/** The two constants of a month (A 8). */
export interface MonthRule {
  readonly monthlyBase: Decimal
  readonly monthlyCap: Decimal
}

/** The result of a month's sessions and a pool (FORMATS 6.4). Nothing here is rounded. */
export interface PointsGrant {
  /** Monthly base plus the PU of the sessions. */
  readonly base: Decimal
  /** Taken from the pool to fill the room below the cap. */
  readonly used: Decimal
  /** The part above the cap, which goes to the pool. */
  readonly overflow: Decimal
  readonly granted: Decimal
  readonly pool: Decimal
}

/**
 * Computes base + sessions, filled up from the pool and cut at the cap. A negative pool adds and takes
 * nothing.
 */
export const grantOf = (sessions: Decimal, pool: Decimal, rule: MonthRule): PointsGrant => {
  const base = plus(rule.monthlyBase, sessions)
  const room = maxOf(minus(rule.monthlyCap, base), zero)
  const used = compareDecimals(pool, zero) > 0 ? minOf(room, pool) : zero
  const overflow = maxOf(minus(base, rule.monthlyCap), zero)
  const left = plus(minus(pool, used), overflow)
  return { base, used, overflow, granted: minOf(plus(base, used), rule.monthlyCap), pool: maxOf(left, zero) }
}
