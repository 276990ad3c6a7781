import * as t from 'io-ts'
import { offendingPath } from '#src/lore/offending-path.js'
import { wantedOf } from './wanted.js'

/** The first offence of a value: where, and in words what is wanted. Never what was found (STYLE 2.6). */
export interface Offence {
  readonly path: string
  readonly expected: string
}

const expectedCharsMax = 200

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
  return { path: offendingPath(errors), expected: wantedAt(context).slice(0, expectedCharsMax) }
}
