import type { Chance } from '#src/demo/chance.js'
import type { Result } from './trial.js'

/** What a case gets: chance by its seed, how large it is to be, and when it has to end. */
export interface Round {
  readonly chance: Chance
  readonly seed: string
  /** Of the sizes that a case was made for. */
  readonly scale: number
  /** How long a case goes on whose length is a time. */
  readonly minutes: number
}

/** One attack, by name. The same seed and scale make the same requests. */
export interface AttackCase {
  readonly name: string
  readonly kind: 'world' | 'caller' | 'fleet'
  /** Whether it comes before the others of a round: a short run is to reach what a hole was known for. */
  readonly first?: boolean
  readonly run: (round: Round) => Promise<Result>
}
