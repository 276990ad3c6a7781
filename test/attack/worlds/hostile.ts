import type { Chance } from '#src/demo/chance.js'
import { hostileWorlds } from '#test/support/hostile-worlds.js'
import type { AttackLore } from '../world-case.js'
import { deepWorlds } from './deep.js'
import { effectAttackWorlds } from './effects.js'
import { refWorlds } from './refs.js'
import { sharedWorlds } from './shared.js'

const sizeOfSupport = 1_000

/** The worlds of the unit tests, at the size that a repository can have. */
const fromSupport: ReadonlyArray<AttackLore> = hostileWorlds.map(world => ({
  name: world.what.replaceAll(/[ ,]+/gu, '-'),
  size: sizeOfSupport,
  names: [world.name, ...(world.header === undefined ? [] : [world.header])],
  files: (_chance: Chance, size: number) => new Map(Object.entries(world.files(size))),
}))

export const allWorlds: ReadonlyArray<AttackLore> = [
  ...effectAttackWorlds,
  ...refWorlds,
  ...sharedWorlds,
  ...deepWorlds,
  ...fromSupport,
]
