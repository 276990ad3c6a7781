import type { Sliced } from '#src/domain/slicing/sliced.js'

/** The result of a build step with the inputs that it was made from. */
export interface Stage<A> {
  readonly inputs: ReadonlyArray<unknown>
  readonly value: A
}

const same = (left: ReadonlyArray<unknown>, right: ReadonlyArray<unknown>): boolean =>
  left.length === right.length && left.every((input, at) => input === right[at])

/**
 * Returns the stage `before` when every input is the same object, and runs `build` otherwise, so a commit
 * costs only what it changed.
 */
export const buildStage = <A>(
  before: Stage<A> | undefined,
  inputs: ReadonlyArray<unknown>,
  build: () => A,
): Stage<A> => (before !== undefined && same(before.inputs, inputs) ? before : { inputs, value: build() })

/** `buildStage` for a build that yields. */
export const buildStageInSlices = function* <A>(
  before: Stage<A> | undefined,
  inputs: ReadonlyArray<unknown>,
  build: () => Sliced<A>,
): Sliced<Stage<A>> {
  if (before !== undefined && same(before.inputs, inputs)) return before
  return { inputs, value: yield* build() }
}
