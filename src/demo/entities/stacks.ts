import { denominations } from '#src/domain/currency/denomination.js'
import type { Chance } from '../chance.js'
import type { WorldCast } from '../people/cast.js'
import type { Sizes } from '../sizes.js'

/** A stack of coins of one owner (FORMATS 7): `{Short} {owner}`. */
export interface Stack {
  readonly name: string
  readonly short: string
  readonly denomination: string
  readonly owner: string
  /** The amount at the first count of stacks. */
  readonly opening: number
}

/** Mostly Talary, so that characters who travel together can pay each other. */
const kinds = [1, 1, 1, 2, 1, 1, 0, 1, 1, 2]

/** The stacks of a world: first those of characters, then a tenth for groups. */
export const demoStacksOf = (sizes: Sizes, cast: WorldCast, chance: Chance): ReadonlyArray<Stack> => {
  const groups = Math.floor(sizes.stacks / 10)
  return Array.from({ length: sizes.stacks }, (_, at): Stack => {
    const ofGroup = at >= sizes.stacks - groups
    const owner = (
      ofGroup ? cast.groups[at - sizes.stacks + groups] : cast.characters[at % cast.characters.length]
    )?.name
    const kind = denominations[ofGroup ? 0 : (kinds[at % kinds.length] ?? 1)]
    if (owner === undefined || kind === undefined) throw new Error('a stack without an owner')
    return {
      name: `${kind.short} ${owner}`,
      short: kind.short,
      denomination: kind.name,
      owner,
      opening: chance.whole(8, 60) * 10,
    }
  })
}
