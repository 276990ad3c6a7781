/** So many of the blocks that a name may mean are named in an answer; of the others their number is told. */
export const namesToldMax = 20

/** The first of the names, and how many more there are. */
export interface FirstNames {
  readonly names: ReadonlyArray<string>
  readonly more: number
}

/** The names of the first of `all`, which may be every block of a world that somebody filled with one alias. */
export const firstNames = <A>(all: ReadonlyArray<A>, nameOf: (one: A) => string): FirstNames => ({
  names: all.slice(0, namesToldMax).map(nameOf),
  more: Math.max(0, all.length - namesToldMax),
})

/** What a sentence says of the names that are not told; nothing where all are. */
export const andMore = ({ more }: FirstNames): string => (more === 0 ? '' : ` ${more} more are not listed.`)
