import { type Decimal, plus, readDecimal, round2, toNumber, zero } from '#src/domain/lore/figures.js'
import { grantOf, type MonthRule } from '#src/domain/points/batches.js'
import { epochDay, instantText, monthText } from './calendar.js'
import type { DemoCharacter } from './people/cast.js'
import { settledUntil, type ToldSession } from './sessions/sessions.js'

/** A line of `.svc/pu/batches.jsonl` (LAYOUT) with the figures after it. */
export interface Settlement {
  readonly line: string
  readonly month: string
  /** The day of the settlement. */
  readonly day: number
  readonly after: ReadonlyMap<string, DemoFigures>
}

/** PU of a character: `@pu_suma`, `@pu_zdobyte`, `@pu_nadmiar`, two places. */
export interface DemoFigures {
  readonly startowe: Decimal
  readonly suma: Decimal
  readonly zdobyte: Decimal
  readonly nadmiar: Decimal
}

const whole = (value: number): Decimal => readDecimal(String(value)) ?? zero

const rule: MonthRule = { monthlyBase: whole(1), monthlyCap: whole(5) }

/** The predecessor settled the months before this one: their grants are not recorded (FORMATS 9). */
const recordedSince = '2024-01'

const figuresAtStart = (character: DemoCharacter, at: number): DemoFigures => {
  const startowe = whole(20 + (character.name.length % 4) + (at % 3))
  return { startowe, suma: startowe, zdobyte: zero, nadmiar: zero }
}

/** Starting figures of every character. */
export const firstFigures = (characters: ReadonlyArray<DemoCharacter>): ReadonlyMap<string, DemoFigures> =>
  new Map(characters.map((character, at) => [character.name, figuresAtStart(character, at)]))

interface Month {
  readonly month: string
  readonly headers: Array<string>
  readonly earned: Map<string, Decimal>
}

const monthsOf = (sessions: ReadonlyArray<ToldSession>): ReadonlyArray<Month> => {
  const months = new Map<string, Month>()
  for (const { plan, effects } of sessions) {
    if (effects.points.length === 0 || effects.late) continue
    const name = monthText(plan.day)
    if (name > settledUntil) continue
    const month: Month = months.get(name) ?? { month: name, headers: [], earned: new Map() }
    months.set(name, month)
    month.headers.push(plan.header)
    for (const { character, cents } of effects.points) {
      const value = readDecimal(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`) ?? zero
      month.earned.set(character, plus(month.earned.get(character) ?? zero, value))
    }
  }
  return [...months.values()].sort((left, right) => (left.month < right.month ? -1 : 1))
}

const settlementDay = (month: string): number => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? epochDay(year + 1, 1, 3) : epochDay(year, number + 1, 3)
}

const awardOf = (character: string, before: DemoFigures, after: DemoFigures, granted: Decimal) => ({
  character,
  granted: toNumber(granted),
  sumaBefore: toNumber(before.suma),
  sumaAfter: toNumber(after.suma),
  nadmiarBefore: toNumber(before.nadmiar),
  nadmiarAfter: toNumber(after.nadmiar),
})

const unknownAward = (character: string) => ({
  character,
  granted: null,
  sumaBefore: null,
  sumaAfter: null,
  nadmiarBefore: null,
  nadmiarAfter: null,
})

/** Settles every month that has PU, oldest first, by the arithmetic of FORMATS 6.4. */
export const settleMonths = (
  sessions: ReadonlyArray<ToldSession>,
  characters: ReadonlyArray<DemoCharacter>,
): ReadonlyArray<Settlement> => {
  let figures = firstFigures(characters)
  return monthsOf(sessions).map(({ month, headers, earned }) => {
    const legacy = month < recordedSince
    const next = new Map(figures)
    const awards = [...earned].map(([character, value]) => {
      const before = figures.get(character)
      if (before === undefined) throw new Error(`PU for nobody: ${character}`)
      const grant = grantOf(value, before.nadmiar, rule)
      const after: DemoFigures = {
        startowe: before.startowe,
        suma: round2(plus(before.suma, grant.granted)),
        zdobyte: round2(plus(before.zdobyte, grant.granted)),
        nadmiar: grant.pool,
      }
      next.set(character, after)
      return legacy ? unknownAward(character) : awardOf(character, before, after, grant.granted)
    })
    figures = next
    const day = settlementDay(month)
    const batch = {
      id: legacy ? `legacy-${month}` : `pu-${month}-1`,
      month,
      at: instantText(day, 19 * 60),
      source: legacy ? 'legacy' : 'batch',
      sessions: headers,
      awards,
    }
    return { line: JSON.stringify(batch), month, day, after: next }
  })
}
