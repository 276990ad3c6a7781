import type { Sliced } from '#src/domain/slicing/sliced.js'

/** The result of a step of the build with what it was made of. */
export interface Stage<A> {
  readonly inputs: ReadonlyArray<unknown>
  readonly value: A
}

const same = (left: ReadonlyArray<unknown>, right: ReadonlyArray<unknown>): boolean =>
  left.length === right.length && left.every((input, at) => input === right[at])

/**
 * Takes the value of the step before when every input is the very same object, else builds: a commit costs
 * what it changed.
 */
export const stage = <A>(
  before: Stage<A> | undefined,
  inputs: ReadonlyArray<unknown>,
  build: () => A,
): Stage<A> => (before !== undefined && same(before.inputs, inputs) ? before : { inputs, value: build() })

/** The same of a build that may rest. */
export const slicedStage = function* <A>(
  before: Stage<A> | undefined,
  inputs: ReadonlyArray<unknown>,
  build: () => Sliced<A>,
): Sliced<Stage<A>> {
  if (before !== undefined && same(before.inputs, inputs)) return before
  return { inputs, value: yield* build() }
}
