import type * as t from 'io-ts'

const pathCharsMax = 200

/** Keys that io-ts makes for the members of unions and intersections are indexes of a codec, not of the value. */
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

/** Where an error of a decode lies, as in `$.tags[0]`; no value of what was decoded is in it. */
export const pathOfContext = (context: t.Context): string =>
  `$${context.map((_, at) => stepOf(context, at)).join('')}`.slice(0, pathCharsMax)

/** Where the first error of a decode lies. */
export const offendingPath = (errors: t.Errors): string => pathOfContext(errors[0]?.context ?? [])
