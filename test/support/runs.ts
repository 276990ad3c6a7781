import type { Context } from 'mocha'

/** `WHOLE_RUNS=1`, as `.ci/run` sets it: each property is tried as often as its test says. */
export const areWhole = process.env['WHOLE_RUNS'] === '1'

/**
 * How often to try a property: a fifth of `whole`, at least 25 times. All of `whole` under `WHOLE_RUNS=1`. fast-check draws
 * a new seed for each run of the tests and prints the seed of a failure.
 */
export const runsOf = (whole: number): number =>
  areWhole ? whole : Math.min(whole, Math.max(25, Math.ceil(whole / 5)))

/**
 * Some of the cases of a list that each start several git processes, such as a crash before each call of a write: every
 * third from a random one on, in order, and the last. All of them under `WHOLE_RUNS=1`.
 */
export const someOf = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => {
  if (areWhole) return all
  const first = Math.floor(Math.random() * 3)
  return all.filter((_, at) => at % 3 === first || at === all.length - 1)
}

/** Every number below `count`, for `someOf`. */
export const numbersBelow = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, at) => at)

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
