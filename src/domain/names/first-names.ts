/** How many of the blocks that a name may mean are listed in an answer; of the others it gives the number. */
export const namesToldMax = 20

/** The first names, and how many more there are. */
export interface FirstNames {
  readonly names: ReadonlyArray<string>
  readonly more: number
}

/** The names of the first of `all`, which may be every block of a world whose blocks share one alias. */
export const firstNames = <A>(all: ReadonlyArray<A>, nameOf: (one: A) => string): FirstNames => ({
  names: all.slice(0, namesToldMax).map(nameOf),
  more: Math.max(0, all.length - namesToldMax),
})

/** The sentence about names that are not listed; empty when all are. */
export const andMore = ({ more }: FirstNames): string => (more === 0 ? '' : ` ${more} more are not listed.`)
