import * as t from 'io-ts'
import { wantedOf } from './wanted.js'

/** The first offence of a value: where, and in words what is wanted. Never what was found (STYLE 2.6). */
export interface Offence {
  readonly path: string
  readonly expected: string
}

const pathCharsMax = 200
const expectedCharsMax = 200

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

/** What is wanted where the error is; of a member of a union the whole union. */
const wantedAt = (context: t.Context): string => {
  let wanted = context.at(-1)?.type
  for (const { type } of context.slice(0, -1).reverse()) {
    if (!(type instanceof t.UnionType)) break
    wanted = type
  }
  return wanted instanceof t.Type ? wantedOf(wanted) : 'another value'
}

/** The offence that the first error of a decode names. */
export const firstOffence = (errors: t.Errors): Offence => {
  const context = errors[0]?.context ?? []
  const path = context.map((_, at) => stepOf(context, at)).join('')
  return { path: `$${path}`.slice(0, pathCharsMax), expected: wantedAt(context).slice(0, expectedCharsMax) }
}
