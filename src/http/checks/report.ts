import * as t from 'io-ts'
import type { BodyProblem } from '#protocol/refusal.js'
import { pathOfContext } from '#src/domain/lore/layout.js'
import { findUnknownKeys } from './unknown-keys.js'
import { describeCodec } from './wanted.js'

const expectedCharsMax = 200

/** The most problems that one answer reports (D52). */
export const problemsMax = 20

/** What is expected at the place of the error; for a member of a union, the whole union. */
const describeWanted = (context: t.Context): string => {
  let wanted = context.at(-1)?.type
  for (const { type } of context.slice(0, -1).reverse()) {
    if (!(type instanceof t.UnionType)) break
    wanted = type
  }
  return wanted instanceof t.Type ? describeCodec(wanted) : 'another value'
}

const problemOf = ({ context }: t.ValidationError): BodyProblem => ({
  path: pathOfContext(context),
  expected: describeWanted(context).slice(0, expectedCharsMax),
})

/** The first problem at each path: the members of a union that do not match report one path each. */
const firstProblems = (found: Iterable<BodyProblem>): ReadonlyArray<BodyProblem> => {
  const byPath = new Map<string, BodyProblem>()
  for (const problem of found) {
    if (byPath.size === problemsMax) break
    if (!byPath.has(problem.path)) byPath.set(problem.path, problem)
  }
  return [...byPath.values()]
}

const decodeProblems = function* (errors: t.Errors): Generator<BodyProblem, void> {
  for (const error of errors) yield problemOf(error)
}

/** The problems that decode errors name, at most 20. */
export const problemsOf = (errors: t.Errors): ReadonlyArray<BodyProblem> =>
  firstProblems(decodeProblems(errors))

const unknownKeys = function* (codec: t.Mixed, value: unknown): Generator<BodyProblem, void> {
  for (const { path, expected } of findUnknownKeys(codec, value))
    yield { path, expected: expected.slice(0, expectedCharsMax) }
}

/** The keys of a body that its codec does not know, at most 20. */
export const unknownKeyProblems = (codec: t.Mixed, value: unknown): ReadonlyArray<BodyProblem> =>
  firstProblems(unknownKeys(codec, value))

/** The problems of a body in one list: first those of decoding, then unknown keys. */
export const joinProblems = (
  decoding: ReadonlyArray<BodyProblem>,
  unknown: ReadonlyArray<BodyProblem>,
): ReadonlyArray<BodyProblem> => firstProblems([...decoding, ...unknown])
