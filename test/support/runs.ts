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

/** The share `3/10` of a list: every tenth item, from the fourth on; all items where `share` is empty. Throws on another form. */
export const takeShare = <A>(all: ReadonlyArray<A>, share: string): ReadonlyArray<A> => {
  if (share === '') return all
  const [, nth = '', of = ''] = /^(\d+)\/(\d+)$/.exec(share) ?? []
  if (of === '' || Number(nth) >= Number(of)) throw new Error(`--share ${share}: 0/10 to 9/10 are the tenths`)
  return all.filter((_, at) => at % Number(of) === Number(nth))
}
