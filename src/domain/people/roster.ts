import { type Day, type NameKey, nameKey, type RepoPath, type Status } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { ownerBlockOn } from '#src/domain/entities/entities.js'
import { type Entities, type Entity, ownerOn, statusOf } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { activeOn, type Range } from '#src/domain/lore/rows/days.js'
import { scalarOn, valuesOn } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { opensChannel } from '#src/domain/lore/topic-text.js'

/** A channel of the chat, as the store names it. */
export interface Channel {
  readonly category: string
  readonly channel: string
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

/** The contributor store (LAYOUT). */
export const contributorsPath = 'kontrybutorzy.md'

/**
 * The refusal of every write to a person (A 2.1, A 4.6.1), because the roster is edited by commits. `entity`
 * is the person as the request names them, `tag` the tag that it would set; null when it sets none.
 */
export const rosterStoreProperty = (
  entity: string,
  tag: string | null,
): RefusalOf<'RosterStoreProperty'> & { readonly entity: string; readonly file: string } =>
  refuse('RosterStoreProperty', `No route changes people. Edit ${contributorsPath} and commit the change.`, {
    entity,
    tag,
    file: contributorsPath,
  })

/**
 * The owner of a Postać on a day: the heading of the Gracz when the store knows the name, else the name as
 * written.
 */
export const playerNameOn = (people: People, character: Entity, day: Day): string | null => {
  const written = ownerOn(character, day)
  return written === null ? null : (personNamed(people, written)?.name ?? written)
}

/**
 * The channel to which messages for an entity go on a day: its own, else for a Postać that of its Gracz (FORMATS
 * 4.6). Null when there is none, also where messages are declined.
 */
export const channelOn = (people: People, entity: Entity, day: Day): Channel | null => {
  const [own] = entity.rows.some(row => row.tag === 'chat') ? chatOf(entity, day).channels : []
  if (own !== undefined) return own
  const owner = entity.type === 'Postać' ? ownerOn(entity, day) : null
  const person = owner === null ? null : personNamed(people, owner)
  return person === null ? null : (rosterOf(people, day).of.get(person)?.chat.channels[0] ?? null)
}

/**
 * Returns a function for the owner of an entity on a day, used by every route: for a Postać the Gracz, for
 * anything else the heading of the block. An unknown name is returned as written; null when the entity states
 * no owner.
 */
export const ownerNameOn =
  ({ entities, people }: { readonly entities: Entities; readonly people: People }) =>
  (entity: Entity, day: Day): string | null => {
    if (entity.type === 'Postać') return playerNameOn(people, entity, day)
    const owner = ownerBlockOn(entities, entity, day)
    return owner === null ? null : (owner.block?.name ?? owner.text)
  }

/**
 * A `### Person` block under `## Gracz` of the contributor store. Its fields on a day are computed from
 * `rows`.
 */
export interface Person {
  readonly name: string
  readonly key: NameKey
  readonly file: RepoPath
  readonly line: number
  readonly endLine: number
  /** In the deciding order, without credentials. */
  readonly rows: ReadonlyArray<Row>
}

/** A `### Role` block under `## Role`: the guild roles that carry its rights (A 4.4). */
export interface RoleBlock {
  readonly name: string
  readonly chatRoles: ReadonlyArray<string>
  readonly line: number
}

/** The parsed contributor store. */
export interface People {
  readonly all: ReadonlyArray<Person>
  /**
   * Further blocks under the heading of another one. Their rows are ignored, and a key in them counts as a
   * duplicate.
   */
  readonly repeated: ReadonlyArray<Person>
  readonly byName: ReadonlyMap<NameKey, Person>
  readonly byAlias: ReadonlyMap<NameKey, ReadonlyArray<Person>>
  readonly roles: ReadonlyArray<RoleBlock>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Whether a heading of the contributor store looks like an actor of the daemon. Such a block signs nobody in.
 */
export const isReservedName = (name: string): boolean => {
  const look = lookOf(name)
  return reserved.has(look) || reservedPrefixes.some(prefix => look.startsWith(prefix))
}

/** Whether a value is an api key in the only allowed form, its hash (LAYOUT). */
export const isKeyHash = (value: string): boolean => /^sha256:[0-9a-f]{64}$/i.test(value)

/** Whether a value is one id of the game. */
export const isGameId = (value: string): boolean => /^[\p{L}\p{N}_.-]{1,64}$/u.test(value)

/**
 * Whether a row holds a credential in the clear. Such a row is never kept in memory, so no answer can repeat
 * it.
 */
export const isCredential = (row: Row): boolean =>
  row.tag === 'klucz_api' ? !isKeyHash(row.value) : opensChannel(row.tag, row.value)

/**
 * The most characters of the name of a category or channel. The platform allows 100; a message keeps its names on
 * disk, and the list of messages shows them.
 */
export const channelNameCharsMax = 400

/** Parses `category/channel` or `BRAK`; a name of more than `channelNameCharsMax` characters is unreadable. */
export const chatReference = (value: string): ChatReference => {
  const text = value.trim()
  if (text.toLowerCase() === 'brak') return { _tag: 'Declined' }
  const slash = text.indexOf('/')
  const [category, channel] = [text.slice(0, Math.max(slash, 0)).trim(), text.slice(slash + 1).trim()]
  const isLong = Math.max(category.length, channel.length) > channelNameCharsMax
  return isLong || category === '' || channel === '' || channel.includes('/') || text.includes('\n')
    ? { _tag: 'Unreadable' }
    : { _tag: 'Channel', category, channel }
}

/** The channel for a person's notices. A channel in any row wins over a refusal in another (A 4.6.3). */
interface Chat {
  readonly state: 'set' | 'declined' | 'missing'
  readonly channels: ReadonlyArray<Channel>
}

const isSure = ({ unsure }: Row): boolean => unsure !== true

const unique = (all: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(all)]

const chatOf = ({ rows }: Pick<Person, 'rows'>, day: Day): Chat => {
  const references = valuesOn(rows, 'chat', day).map(chatReference)
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

/**
 * Names that audit lines and commits use for actors that are no person (see
 * `docs/spec/identity.md#reserved-names`).
 */
const reservedNames = ['machine', 'anonymous', 'named', 'nobody', 'kronika'] as const

/** Prefixes of chat accounts and autopilots in lines that name their actor. */
const reservedPrefixes = ['chat:', 'autopilot:'] as const

/** A name reduced to its look: without marks above letters, wide forms and hidden characters. */
const lookOf = (name: string): string =>
  nameKey(name.normalize('NFKD').replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''))

const reserved: ReadonlySet<string> = new Set(reservedNames)

/** The content of an `@chat` line: a channel, a refusal (`BRAK`), or text that cannot be parsed (LAYOUT). */
type ChatReference =
  | { readonly _tag: 'Channel'; readonly category: string; readonly channel: string }
  | { readonly _tag: 'Declined' }
  | { readonly _tag: 'Unreadable' }
