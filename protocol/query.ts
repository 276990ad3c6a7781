import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Day, dayOf } from './atoms/day.js'
import { Month } from './atoms/month.js'
import { EntityType, Status } from './atoms/vocabulary.js'
import type { Window } from './list.js'

const fromText = <A>(name: string, read: (text: string) => A | undefined): t.Type<A, unknown, unknown> =>
  new t.Type<A, unknown, unknown>(
    name,
    (u): u is A => u !== undefined,
    (u, c) => {
      const value = typeof u === 'string' ? read(u) : undefined
      return value === undefined ? t.failure(u, c) : t.success(value)
    },
    t.identity,
  )

/** Any text, taken as it is. */
export const Text = fromText('Text', text => text)
/** `true` or `false`. */
export const Flag = fromText('Flag', text => (text === 'true' ? true : text === 'false' ? false : undefined))
/** A day `YYYY-MM-DD`. */
export const DayText = fromText<Day>('Day', text => dayOf(text) ?? undefined)
/** A day, or an ISO instant whose UTC day is taken: what `activeOn` and `asOf` accept. */
export const DayOrInstantText = fromText<Day>('DayOrInstant', text => {
  const day = dayOf(text)
  if (day !== null) return day
  return /^\d{4}-\d{2}-\d{2}T[0-9:.]{5,15}(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text))
    ? (dayOf(new Date(text).toISOString().slice(0, 10)) ?? undefined)
    : undefined
})

const keyOf = <A>(name: string, codec: t.Type<A, unknown, unknown>): t.Type<A, unknown, unknown> =>
  fromText(name, text => {
    const decoded = codec.decode(text)
    return isLeft(decoded) ? undefined : decoded.right
  })

export const EntityTypeText = keyOf('EntityType', EntityType)
export const StatusText = keyOf('Status', Status)
export const MonthText = keyOf('Month', Month)

/**
 * `limit` of a windowed list: unparseable or negative means the whole set, echoed as null (A 2.1, D25). Never
 * refused.
 */
export const LimitText = fromText<number | null>('Limit', text =>
  /^\d{1,9}$/.test(text) ? Number(text) : null,
)
/** `offset` of a windowed list: negative or unparseable means 0 (A 2.1). Never refused. */
export const OffsetText = fromText<number>('Offset', text => (/^\d{1,9}$/.test(text) ? Number(text) : 0))

/** The two parameters of every windowed list. */
export const windowQuery = { limit: LimitText, offset: OffsetText } as const

/** The window that a query names. */
export const windowOf = (query: {
  readonly limit: number | null | undefined
  readonly offset: number | undefined
}): Window => ({
  named: query.limit !== undefined || query.offset !== undefined,
  limit: query.limit ?? null,
  offset: query.offset ?? 0,
})
