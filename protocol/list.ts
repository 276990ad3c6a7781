import * as t from 'io-ts'

const NumberOrNull = t.union([t.number, t.null])

/**
 * The list envelope of A 2.1: `count` and `items`, and with a window named in the query also `total`,
 * `limit`, `offset`. An unparseable or negative `limit` is echoed as null (D25).
 */
export const listOf = <A, O>(item: t.Type<A, O>, name: string) =>
  t.intersection(
    [
      t.type({ count: t.number, items: t.readonlyArray(item) }),
      t.partial({ total: t.number, limit: NumberOrNull, offset: t.number }),
    ],
    name,
  )

/**
 * A list of another machine, of at most `max` entries. A longer one is one fault: a decoder would collect a fault
 * for each entry, which takes a second of processor time for a MiB of empty objects.
 */
export const shortListOf = <A, O>(
  item: t.Type<A, O>,
  max: number,
): t.Type<ReadonlyArray<A>, ReadonlyArray<O>> => {
  const list = t.readonlyArray(item)
  const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > max
  return new t.Type(
    `ShortList<${item.name}>`,
    (value): value is ReadonlyArray<A> => !isLong(value) && list.is(value),
    (value, context) =>
      isLong(value) ? t.failure(value, context, `more than ${max} entries`) : list.validate(value, context),
    list.encode,
  )
}

/** The requested window of a list; a null `limit` means the whole set. */
export interface Window {
  readonly named: boolean
  readonly limit: number | null
  readonly offset: number
}

export interface Windowed<A> {
  readonly count: number
  readonly items: ReadonlyArray<A>
  readonly total?: number
  readonly limit?: number | null
  readonly offset?: number
}

/** Cuts the window out of `all` and adds its echoes when the query named one (A 2.1). */
export const applyWindow = <A>(all: ReadonlyArray<A>, window: Window): Windowed<A> => {
  if (!window.named) return { count: all.length, items: all }
  const end = window.limit === null ? all.length : window.offset + window.limit
  const items = all.slice(window.offset, end)
  return { count: items.length, items, total: all.length, limit: window.limit, offset: window.offset }
}
