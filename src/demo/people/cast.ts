import { denominations } from '#src/domain/currency/denomination.js'
import type { Chance } from '../chance.js'
import type { Forms, Paradigm } from '../names/grammar.js'
import {
  fullName,
  group,
  item,
  land,
  makeGivenName,
  nameBuilding,
  type PlaceName,
  qualifyName,
  quarter,
  region,
  type Sex,
  town,
  trade,
} from '../names/names.js'
import type { Sizes } from '../sizes.js'
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

/** Allocates unique names; two that differ only in case count as equal. */
interface Registrar {
  /** The first free name that `make` produces; `make` gets the number of the attempt. */
  readonly fresh: <A>(make: (attempt: number) => A, nameOf: (made: A) => string) => A
}

const registrar = (): Registrar => {
  const taken = new Set<string>()
  return {
    fresh: (make, nameOf) => {
      for (let attempt = 0; ; attempt += 1) {
        const made = make(attempt)
        const key = nameOf(made).toLowerCase()
        if (taken.has(key)) continue
        taken.add(key)
        return made
      }
    },
  }
}

/** Attempts after which the words of a name are taken to be used up, and a number tells it from the others. */
const attemptsWithoutNumber = 1000

/** The name, with a number behind it where every name of its words may be taken: `Kaldonia (2)`. */
const numberName = (made: PlaceName, attempt: number): PlaceName => {
  const number = 1 + Math.floor(attempt / attemptsWithoutNumber)
  return number === 1 ? made : qualifyName(made, String(number))
}

const entryOf = (named: PlaceName): CastEntry => ({
  name: named.full.forms.nom,
  role: { full: named.full, short: named.short, prep: named.prep },
})

const nominative = (named: PlaceName): string => named.full.forms.nom

/** The parent of place number `at` of `count`: neighbours share one. */
const parentOf = (parents: ReadonlyArray<DemoPlace>, at: number, count: number): DemoPlace | null =>
  parents[Math.floor((at * parents.length) / count)] ?? null

const placesOf = (sizes: Sizes, chance: Chance, names: Registrar): ReadonlyArray<DemoPlace> => {
  const level = (
    depth: DemoPlace['depth'],
    count: number,
    parents: ReadonlyArray<DemoPlace>,
    make: (chance: Chance) => PlaceName,
  ): ReadonlyArray<DemoPlace> =>
    Array.from({ length: count }, (_, at) => {
      const parent = parentOf(parents, at, count)
      const named = names.fresh(attempt => {
        const made = make(chance)
        return attempt > 20 && parent !== null ? qualifyName(made, parent.name) : numberName(made, attempt)
      }, nominative)
      return { ...entryOf(named), depth, parent }
    })
  const lands = level(1, sizes.lands, [], land)
  const towns = level(2, sizes.towns, lands, town)
  const quarters = level(3, sizes.quarters, towns, quarter)
  return [...lands, ...towns, ...quarters, ...level(4, sizes.buildings, quarters, nameBuilding)]
}

/** Gives two quarters of different towns the same name, distinguished by the town (A 2.5). */
const withHomonyms = (
  places: ReadonlyArray<DemoPlace>,
  names: Registrar,
  chance: Chance,
): ReadonlyArray<DemoPlace> => {
  const leaves = places.filter(place => place.depth === 4)
  const [first, last] = [leaves[0], leaves[leaves.length - 1]]
  if (first === undefined || last === undefined) return places
  const shared = names.fresh(() => nameBuilding(chance), nominative)
  const renamed = (place: DemoPlace): DemoPlace => ({
    ...place,
    ...entryOf(qualifyName(shared, place.parent?.name ?? '')),
  })
  return places.map(place => (place === first || place === last ? renamed(place) : place))
}

const personOf = (
  chance: Chance,
  names: Registrar,
  towns: ReadonlyArray<Forms>,
): Omit<DemoPerson, 'trade'> => {
  const sex: Sex = chance.truth(0.55) ? 'man' : 'woman'
  const given = names.fresh(
    attempt => makeGivenName(chance, sex, attempt < 30 ? 1 : 2),
    made => made.forms.nom,
  )
  const full = fullName(
    chance,
    sex,
    given,
    towns.map(town => town.gen),
  )
  return { name: full.forms.nom, given: given.forms.nom, sex, role: { full, short: given, prep: 'w' } }
}

const rolesOf = (at: number, players: number): ReadonlyArray<string> => {
  if (at < Math.max(5, Math.round(players / 6))) return at % 3 === 0 ? ['Narrator', 'Radny'] : ['Narrator']
  if (at === players - 2) return ['IT']
  if (at === players - 3) return ['MC']
  return []
}

const playersOf = (sizes: Sizes, chance: Chance, names: Registrar): ReadonlyArray<DemoPlayer> =>
  Array.from({ length: sizes.players }, (_, at) => {
    const nick = names.fresh(
      attempt => makeGivenName(chance, chance.truth(0.5) ? 'man' : 'woman', attempt < 30 ? 1 : 2),
      made => made.forms.nom,
    ).forms.nom
    const former = at % 5 === 1
    return {
      nick,
      gameId: String(120_000 + at * 37 + chance.whole(0, 30)),
      formerId: former ? String(20_000 + at * 11) : null,
      retired: at === sizes.players - 1,
      roles: rolesOf(at, sizes.players),
    }
  })

/** Names everything in a world of these sizes. */
export const castOf = (sizes: Sizes, chance: Chance): WorldCast => {
  const names = registrar()
  const places = withHomonyms(placesOf(sizes, chance.fork('places'), names), names, chance.fork('homonyms'))
  const towns = places.filter(place => place.depth === 2).map(place => place.role.full.forms)
  const many = (
    count: number,
    label: string,
    make: (chance: Chance) => PlaceName,
  ): ReadonlyArray<CastEntry> => {
    const own = chance.fork(label)
    return Array.from({ length: count }, () =>
      entryOf(names.fresh(attempt => numberName(make(own), attempt), nominative)),
    )
  }
  const people = chance.fork('people')
  const players = playersOf(sizes, chance.fork('players'), names)
  const active = players.filter(player => !player.retired)
  return {
    places,
    regions: many(sizes.regions, 'regions', region),
    groups: many(sizes.groups, 'groups', group),
    things: many(sizes.things, 'things', item),
    npcs: Array.from({ length: sizes.npcs }, () => {
      const person = personOf(people, names, towns)
      return { ...person, trade: trade(people, person.sex) }
    }),
    players,
    characters: Array.from({ length: sizes.characters }, (_, at): DemoCharacter => {
      const owner = active[at % active.length]
      if (owner === undefined) throw new Error('a world without players')
      return { ...personOf(people, names, towns), trade: null, owner }
    }),
  }
}

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
