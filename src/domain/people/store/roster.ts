import { type Day, type NameKey, nameKey, type Status } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { statusOf } from '#src/domain/entities/reading/type-of.js'
import { scalarOn, valuesOn } from '#src/domain/lore/rows/on-day.js'
import { activeOn, type Range } from '#src/domain/lore/rows/range.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import type { People, Person } from '../person.js'
import { chatReference } from './chat-reference.js'

/** A channel of the chat, as the store names it. */
export interface Channel {
  readonly category: string
  readonly channel: string
}

/** The channel for a person's notices. A channel in any row wins over a refusal in another (A 4.6.3). */
export interface Chat {
  readonly state: 'set' | 'declined' | 'missing'
  readonly channels: ReadonlyArray<Channel>
}

/**
 * A person on a day. `unlisted`: no game id, or one that is not theirs alone. `retired`: every id is closed.
 * `tematy` is restricted: a route must check the view before it serves it (A 5).
 */
export interface Contributor {
  readonly person: Person
  readonly standing: 'listed' | 'unlisted' | 'retired'
  readonly gameId: string | null
  /** Every id open today, including shared ones. */
  readonly openIds: ReadonlyArray<string>
  readonly retiredIds: ReadonlyArray<string>
  readonly roles: ReadonlyArray<{ readonly name: string; readonly range: Range }>
  readonly status: Status
  readonly chat: Chat
  readonly tematy: string | null
  readonly aliases: ReadonlyArray<string>
}

/** The people of a store on a day, in file order. */
export interface Roster {
  readonly day: Day
  readonly all: ReadonlyArray<Contributor>
  readonly listed: ReadonlyArray<Contributor>
  readonly of: ReadonlyMap<Person, Contributor>
}

const isSure = ({ unsure }: Row): boolean => unsure !== true

const unique = (all: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(all)]

const chatOf = (person: Person, day: Day): Chat => {
  const references = valuesOn(person.rows, 'chat', day).map(chatReference)
  const channels = references.flatMap(one =>
    one._tag === 'Channel' ? [{ category: one.category, channel: one.channel }] : [],
  )
  const declined = references.some(one => one._tag === 'Declined')
  return { state: channels.length > 0 ? 'set' : declined ? 'declined' : 'missing', channels }
}

const statusOn = (person: Person, day: Day): Status => {
  const row = person.rows.findLast(
    one =>
      one.tag === 'status' &&
      activeOn(one.range, day) &&
      statusOf(one.value) !== null &&
      // A day that cannot be read makes nobody active again.
      (one.unsure !== true || statusOf(one.value) !== 'Aktywny'),
  )
  return row === undefined ? 'Aktywny' : (statusOf(row.value) ?? 'Aktywny')
}

/** The ids open on a day. A row whose days cannot be read gives none, but keeps its id from being anyone else's. */
const idsOn = (person: Person, day: Day): ReadonlyArray<string> =>
  valuesOn(person.rows.filter(isSure), 'gameid', day)

/**
 * For each id open on a day, the name keys of the blocks that have it; a second block of a name counts too.
 */
const holdersOn = (people: People, day: Day): ReadonlyMap<string, ReadonlySet<NameKey>> => {
  const holders = new Map<string, Set<NameKey>>()
  for (const person of [...people.all, ...people.repeated])
    for (const id of valuesOn(person.rows, 'gameid', day))
      holders.set(id, (holders.get(id) ?? new Set()).add(person.key))
  return holders
}

const rolesOn = (person: Person, day: Day): Contributor['roles'] =>
  person.rows
    .filter(row => row.tag === 'rola' && row.value !== '' && activeOn(row.range, day) && isSure(row))
    .map(row => ({ name: row.value, range: row.range }))

const contributorOf = (
  person: Person,
  day: Day,
  holders: ReadonlyMap<string, ReadonlySet<NameKey>>,
): Contributor => {
  const open = idsOn(person, day)
  const ids = person.rows.filter(row => row.tag === 'gameid' && row.value !== '')
  const closed = ids.filter(row => row.range.to !== null && row.range.to < day)
  const current = open.length === 1 ? (open[0] ?? null) : null
  const alone = current !== null && holders.get(current)?.size === 1
  const retired = ids.length > 0 && closed.length === ids.length
  return {
    person,
    standing: alone ? 'listed' : retired ? 'retired' : 'unlisted',
    gameId: alone ? current : null,
    openIds: open,
    retiredIds: unique(closed.map(row => row.value)).filter(id => !open.includes(id)),
    roles: rolesOn(person, day),
    status: statusOn(person, day),
    chat: chatOf(person, day),
    tematy: scalarOn(person.rows, 'tematy', day),
    aliases: valuesOn(person.rows, 'alias', day).filter(name => nameKey(name) !== person.key),
  }
}

const rosterMade = (people: People, day: Day): Roster => {
  const holders = holdersOn(people, day)
  const all = people.all.map(person => contributorOf(person, day, holders))
  return {
    day,
    all,
    listed: all.filter(one => one.standing === 'listed'),
    of: new Map(all.map(one => [one.person, one])),
  }
}

/** The roster of the most recently used day, cached per store, so that commits to other files keep it. */
const lastOf = perValue((people: People): ((day: Day) => Roster) => {
  let last: Roster | null = null
  return day => {
    if (last?.day !== day) last = rosterMade(people, day)
    return last
  }
})

/** The roster on a day. The result for the last day asked is cached. */
export const rosterOf = (people: People, day: Day): Roster => lastOf(people)(day)

/**
 * The person of a name: by heading, else by an alias that nobody else has (D12). Ignores case and normal
 * form.
 */
export const personNamed = (people: People, name: string): Person | null => {
  const key = nameKey(name)
  const owners = people.byAlias.get(key) ?? []
  return people.byName.get(key) ?? (owners.length === 1 ? (owners[0] ?? null) : null)
}
