import type { Paradigm } from '../names/cases.js'
import type { Sex } from '../names/given-names.js'
import type { Role } from '../template.js'

/** Anything with its own heading. `role` is how prose refers to it. */
export interface Entry {
  readonly name: string
  readonly role: Role
}

export interface Place extends Entry {
  /** 1 land, 2 town, 3 quarter, 4 building. */
  readonly depth: 1 | 2 | 3 | 4
  readonly parent: Place | null
}

export interface Person extends Entry {
  readonly sex: Sex
  /** The given name alone, which is an `@alias` where the heading is longer. */
  readonly given: string
  /** The trade before the name; null for a character of a player. */
  readonly trade: Paradigm | null
}

export interface Player {
  readonly nick: string
  readonly gameId: string
  readonly formerId: string | null
  /** Every id is closed, so that the person is not listed. */
  readonly retired: boolean
  readonly roles: ReadonlyArray<string>
}

export interface Character extends Person {
  readonly owner: Player
}

/** All people, places and things of the world, without any text about them. */
export interface WorldCast {
  readonly places: ReadonlyArray<Place>
  readonly regions: ReadonlyArray<Entry>
  readonly groups: ReadonlyArray<Entry>
  readonly things: ReadonlyArray<Entry>
  readonly npcs: ReadonlyArray<Person>
  readonly players: ReadonlyArray<Player>
  readonly characters: ReadonlyArray<Character>
}
