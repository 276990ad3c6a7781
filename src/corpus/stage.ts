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
