import { randomInt, randomUUID } from 'node:crypto'

/** The only source of randomness. */
export interface Entropy {
  /** A number in [0, 1). */
  readonly chance: () => number
  /** A globally unique id. */
  readonly id: () => string
}

const chanceSteps = 2 ** 47

export const realEntropy: Entropy = {
  chance: () => randomInt(chanceSteps) / chanceSteps,
  id: () => randomUUID(),
}
