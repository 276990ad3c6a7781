import { compare, type Decimal, least, minus, most, plus, zero } from './decimal.js'

/** The two constants of a month (A 8). */
export interface MonthRule {
  readonly monthlyBase: Decimal
  readonly monthlyCap: Decimal
}

/** What a month of sessions makes of a pool (FORMATS 6.4). Nothing here is rounded. */
export interface Grant {
  /** Monthly base plus the PU of the sessions. */
  readonly base: Decimal
  /** Taken out of the pool to fill the room below the cap. */
  readonly used: Decimal
  /** What the cap cuts off; it goes to the pool. */
  readonly overflow: Decimal
  readonly granted: Decimal
  readonly pool: Decimal
}

/** base + sessions, topped up from the pool and cut at the cap; a pool below zero gives and takes nothing. */
export const grantOf = (sessions: Decimal, pool: Decimal, rule: MonthRule): Grant => {
  const base = plus(rule.monthlyBase, sessions)
  const room = most(minus(rule.monthlyCap, base), zero)
  const used = compare(pool, zero) > 0 ? least(room, pool) : zero
  const overflow = most(minus(base, rule.monthlyCap), zero)
  const left = plus(minus(pool, used), overflow)
  return { base, used, overflow, granted: least(plus(base, used), rule.monthlyCap), pool: most(left, zero) }
}
