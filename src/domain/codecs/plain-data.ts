import * as t from 'io-ts'

const isData = (value: unknown): boolean =>
  typeof value !== 'function' &&
  (typeof value !== 'object' || value === null || Object.values(value).every(isData))

/** A value of any shape without a function in it, so that it can be compared, copied and sent elsewhere. */
export const PlainData = new t.Type<unknown>(
  'PlainData',
  (u): u is unknown => isData(u),
  (u, context) => (isData(u) ? t.success(u) : t.failure(u, context, 'a function is no data')),
  t.identity,
)
