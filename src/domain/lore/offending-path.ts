import type * as t from 'io-ts'

const pathCharsMax = 200

/**
 * Whether io-ts made this key for a member of a union or an intersection: such a key is an index of the
 * codec, not of the value.
 */
const isMember = (context: t.Context, at: number): boolean => {
  const parent = context[at - 1]?.type
  const tag: unknown = parent === undefined ? undefined : Reflect.get(parent, '_tag')
  return tag === 'UnionType' || tag === 'IntersectionType'
}

const stepOf = (context: t.Context, at: number): string => {
  const key = context[at]?.key ?? ''
  if (at === 0 || key === '' || isMember(context, at)) return ''
  return /^\d+$/.test(key) ? `[${key}]` : `.${key}`
}

/** The path of a decode error, as in `$.tags[0]`. It contains no decoded value. */
export const pathOfContext = (context: t.Context): string =>
  `$${context.map((_, at) => stepOf(context, at)).join('')}`.slice(0, pathCharsMax)

/** The path of the first error. */
export const pathOfErrors = (errors: t.Errors): string => pathOfContext(errors[0]?.context ?? [])
