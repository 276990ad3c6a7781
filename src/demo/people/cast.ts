import type { Paradigm } from '../names/cases.js'
import type { Sex } from '../names/given-names.js'
import type { Role } from '../template.js'

/** Anything with its own heading. `role` is how prose refers to it. */
export interface CastEntry {
  readonly name: string
  readonly role: Role
}

export interface DemoPlace extends CastEntry {
  /** 1 land, 2 town, 3 quarter, 4 building. */
  readonly depth: 1 | 2 | 3 | 4
  readonly parent: DemoPlace | null
}

export interface DemoPerson extends CastEntry {
  readonly sex: Sex
  /** The given name alone, which is an `@alias` where the heading is longer. */
  readonly given: string
  /** The trade before the name; null for a character of a player. */
  readonly trade: Paradigm | null
}

export interface DemoPlayer {
  readonly nick: string
  readonly gameId: string
  readonly formerId: string | null
  /** Every id is closed, so that the person is not listed. */
  readonly retired: boolean
  readonly roles: ReadonlyArray<string>
}

export interface DemoCharacter extends DemoPerson {
  readonly owner: DemoPlayer
}

/** All people, places and things of the world, without any text about them. */
export interface WorldCast {
  readonly places: ReadonlyArray<DemoPlace>
  readonly regions: ReadonlyArray<CastEntry>
  readonly groups: ReadonlyArray<CastEntry>
  readonly things: ReadonlyArray<CastEntry>
  readonly npcs: ReadonlyArray<DemoPerson>
  readonly players: ReadonlyArray<DemoPlayer>
  readonly characters: ReadonlyArray<DemoCharacter>
}
