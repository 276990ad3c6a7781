import type { Context } from 'mocha'

/** `WHOLE_RUNS=1`, as `.ci/run` sets it: each property is tried as often as its test says. */
export const areWhole = process.env['WHOLE_RUNS'] === '1'

/**
 * How often to try a property: a fifth of `whole`, at least 25 times. All of `whole` under `WHOLE_RUNS=1`. fast-check draws
 * a new seed for each run of the tests and prints the seed of a failure.
 */
export const runsOf = (whole: number): number =>
  areWhole ? whole : Math.min(whole, Math.max(25, Math.ceil(whole / 5)))

/** A `before` hook for tests that compare the costs of large inputs: skips them unless `WHOLE_RUNS=1`. */
export function skipUnlessWhole(this: Context): void {
  if (!areWhole) this.skip()
}
