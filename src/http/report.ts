import type { Context, Errors } from 'io-ts'

/** The first offence of a value against its codec: where, and what is wanted. Never what was found (STYLE 2.6). */
export interface Offence {
  readonly path: string
  readonly expected: string
}

const pathCharsMax = 200
const expectedCharsMax = 200

/** Keys that io-ts makes for the members of unions and intersections are indexes of a codec, not of the value. */
const isMember = (context: Context, at: number): boolean => {
  const parent = context[at - 1]?.type
  const tag: unknown = parent === undefined ? undefined : Reflect.get(parent, '_tag')
  return tag === 'UnionType' || tag === 'IntersectionType'
}

const stepOf = (context: Context, at: number): string => {
  const key = context[at]?.key ?? ''
  if (at === 0 || key === '' || isMember(context, at)) return ''
  return /^\d+$/.test(key) ? `[${key}]` : `.${key}`
}

/** The offence that the first error of a decode names. */
export const firstOffence = (errors: Errors): Offence => {
  const context = errors[0]?.context ?? []
  const path = context.map((_, at) => stepOf(context, at)).join('')
  const expected = context.at(-1)?.type.name ?? 'another value'
  return { path: `$${path}`.slice(0, pathCharsMax), expected: expected.slice(0, expectedCharsMax) }
}
