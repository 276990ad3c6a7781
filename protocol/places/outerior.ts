import * as t from 'io-ts'

const words: ReadonlyMap<unknown, boolean> = new Map([
  ['tak', true],
  ['true', true],
  ['nie', false],
  ['false', false],
])

/** `tak` or `nie`, as `@outerior` is written; `true` and `false` are accepted too. */
export const OuteriorText = new t.Type<boolean, unknown, unknown>(
  'Outerior',
  t.boolean.is,
  (u, c) => {
    const value = words.get(u)
    return value === undefined ? t.failure(u, c) : t.success(value)
  },
  t.identity,
)
