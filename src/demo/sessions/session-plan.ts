import { dayText, type EpochDay, epochDay, firstDay, lastDay } from '../calendar.js'
import type { Chance } from '../chance.js'
import { joinParadigms } from '../names/grammar.js'
import type {
  CastEntry,
  DemoCharacter,
  DemoPerson,
  DemoPlace,
  DemoPlayer,
  WorldCast,
} from '../people/cast.js'
import { titles } from '../prose/tables.js'
import type { Sizes } from '../sizes.js'
import { type Cast, type Role, renderTemplate } from '../template.js'

export type DemoGeneration = 'Gen1' | 'Gen2' | 'Gen3' | 'Gen4'

/** The people and subject of a session, before its prose. Slots as in `Scene`. */
export interface PlannedSession {
  readonly header: string
  readonly day: EpochDay
  readonly generation: DemoGeneration
  readonly narrators: ReadonlyArray<DemoPlayer>
  readonly heroes: ReadonlyArray<DemoCharacter>
  readonly others: ReadonlyArray<DemoPerson>
  readonly places: ReadonlyArray<DemoPlace>
  readonly groups: ReadonlyArray<CastEntry>
  readonly thing: CastEntry
  readonly cast: Cast
  /** The number of its file, and of the file of its second copy. */
  readonly file: number
  readonly copy: { readonly file: number; readonly shorter: boolean } | null
}

/** The first days of the generations (FORMATS 4.2), each with the share of all sessions played in it. */
const eras: ReadonlyArray<{
  readonly generation: DemoGeneration
  readonly from: EpochDay
  readonly share: number
}> = [
  { generation: 'Gen1', from: firstDay, share: 0.24 },
  { generation: 'Gen2', from: epochDay(2022, 6, 3), share: 0.24 },
  { generation: 'Gen3', from: epochDay(2024, 1, 3), share: 0.34 },
  { generation: 'Gen4', from: epochDay(2026, 1, 2), share: 0.18 },
]

interface Slot {
  readonly day: EpochDay
  readonly generation: DemoGeneration
}

/** The days on which sessions are played, oldest first. */
const slotsOf = (count: number, chance: Chance): ReadonlyArray<Slot> => {
  let told = 0
  return eras.flatMap(({ generation, from, share }, at) => {
    const next = eras[at + 1]
    const many = next === undefined ? count - told : Math.round(count * share)
    told += many
    const to = next === undefined ? lastDay : next.from - 1
    const days = Array.from({ length: many }, () => chance.whole(from, to)).sort(
      (left, right) => left - right,
    )
    return days.map(day => ({ day, generation }))
  })
}

/** A thread of sessions uses its own people and places: a window of each list. */
const windowOf = <A>(all: ReadonlyArray<A>, at: number, of: number, width: number): ReadonlyArray<A> => {
  const start = Math.floor((at * all.length) / of)
  return Array.from(
    { length: Math.min(width, all.length) },
    (_, step) => all[(start + step) % all.length],
  ).filter(one => one !== undefined)
}

const fit = <A>(from: ReadonlyArray<A>, at: number): A => {
  const found = from[at % from.length]
  if (found === undefined) throw new Error('an empty cast')
  return found
}

/** A person at the first mention: sometimes with the trade before the name. */
const withTrade = (person: DemoPerson, chance: Chance): Role =>
  person.trade === null || chance.truth(0.45)
    ? person.role
    : { ...person.role, full: joinParadigms(person.trade, person.role.full) }

const narratorField = (
  narrators: ReadonlyArray<DemoPlayer>,
  generation: DemoGeneration,
  chance: Chance,
): string => {
  const joint = generation === 'Gen1' && chance.truth(0.5) ? ' i ' : ' + '
  return narrators.map(player => player.nick).join(joint)
}

interface Thread {
  readonly at: number
  readonly of: number
}

const plannedOf = (
  slot: Slot,
  thread: Thread,
  cast: WorldCast,
  chance: Chance,
): Omit<PlannedSession, 'copy'> => {
  const window = <A>(all: ReadonlyArray<A>, width: number): ReadonlyArray<A> =>
    windowOf(all, thread.at, thread.of, width)
  const heroes = chance.some(window(cast.characters, 7), 3)
  const others = chance.some(window(cast.npcs, 26), 2)
  const settled = cast.places.filter(place => place.depth > 2)
  const places = [
    ...chance.some(window(settled, 12), 1),
    ...chance.some(
      window(
        cast.places.filter(place => place.depth === 2),
        6,
      ),
      1,
    ),
  ]
  const groups = chance.some(window(cast.groups, 8), 2)
  const thing = chance.pick(window(cast.things, 14))
  const narrators = chance.some(
    cast.players.filter(player => player.roles.includes('Narrator')),
    chance.truth(0.15) ? 2 : 1,
  )
  const roles: Cast = {
    A: fit(heroes, 0).role,
    B: fit(heroes, 1).role,
    C: fit(heroes, 2).role,
    N: withTrade(fit(others, 0), chance),
    M: withTrade(fit(others, 1), chance),
    L: fit(places, 0).role,
    K: fit(places, 1).role,
    G: fit(groups, 0).role,
    H: fit(groups, 1).role,
    I: thing.role,
  }
  const title = renderTemplate(chance.pick(titles), roles, { told: new Set('MN') }, chance)
  const date = `${dayText(slot.day)}${endOf(slot.day, chance)}`
  return {
    header: `${date}, ${title}, ${narratorField(narrators, slot.generation, chance)}`,
    day: slot.day,
    generation: slot.generation,
    narrators,
    heroes,
    others,
    places,
    groups,
    thing,
    cast: roles,
    file: thread.at,
  }
}

/** ` /DD` of a session that ends on a later day of the same month. */
const endOf = (day: EpochDay, chance: Chance): string => {
  const end = day + chance.whole(1, 2)
  const sameMonth = dayText(end).slice(0, 7) === dayText(day).slice(0, 7)
  return chance.truth(0.06) && sameMonth ? `/${dayText(end).slice(8)}` : ''
}

/** How many threads run at the same time. */
const parallel = 4

/** The thread of session number `at`: a few run at the same time, later ones replace them. */
const threadOf = (at: number, sizes: Sizes): number => {
  const block = Math.floor((at * sizes.sessionFiles) / sizes.sessions / parallel)
  const first = block * parallel
  return first + (at % Math.min(parallel, sizes.sessionFiles - first))
}

/** Plans every session, oldest first; headers are unique. */
export const planSessions = (
  sizes: Sizes,
  cast: WorldCast,
  chance: Chance,
): ReadonlyArray<PlannedSession> => {
  const taken = new Set<string>()
  const slots = slotsOf(sizes.sessions, chance.fork('days'))
  const doubled = new Set(chance.fork('copies').some(slots, sizes.copies))
  const planned = chance.fork('plans')
  const unique = (slot: Slot, thread: Thread): Omit<PlannedSession, 'copy'> => {
    for (;;) {
      const session = plannedOf(slot, thread, cast, planned)
      if (taken.has(session.header)) continue
      taken.add(session.header)
      return session
    }
  }
  return slots.map((slot, at) => {
    const thread = { at: threadOf(at, sizes), of: sizes.sessionFiles }
    const other = (thread.at + (thread.at % parallel === 0 ? 1 : -1) + thread.of) % thread.of
    const copy = doubled.has(slot) ? { file: other, shorter: other > thread.at && planned.truth(0.5) } : null
    return { ...unique(slot, thread), copy }
  })
}
