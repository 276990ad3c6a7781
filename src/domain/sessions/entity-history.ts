import { type Day, nameKey } from '#protocol/atoms.js'
import type { Window, Windowed } from '#protocol/list.js'
import type { HistoryEntry, TimelineEntry } from '#protocol/lore/entities.js'
import type { SessionGraph } from '#protocol/lore/sessions.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { isPlaceName } from '#src/domain/entities/below.js'
import { homonymsMax } from '#src/domain/entities/entities.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { placeNamed } from '#src/domain/entities/places.js'
import { visibleRowsInSlices } from '#src/domain/entities/projection.js'
import { renderPageInSlices } from '#src/domain/json/json-bytes.js'
import { pathOfSource, type Row } from '#src/domain/lore/rows/row-change.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { mapInSlices, type Sliced, sortInSlices } from '#src/domain/slicing/sliced.js'
import { placesNamed, sessionsNamingInSlices } from './reading/mentions.js'
import { type Player, playersIn } from './reading/narrators.js'
import { type Session, type Sessions, sessionWithoutTopics } from './session.js'

/** The graph of who played together (docs/spec/sessions.md#graph, ADR 1028); computed on first use. */
export const sessionGraph = (sessions: Sessions, names: NameIndex): SessionGraph => memo(names)(sessions)

/** First and last allowed day of FROM, inclusive. */
export interface HistoryWindow {
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/**
 * Every row of the merged state with its source and without credentials, including aliases and generic tags
 * (FORMATS 8). Undated rows come first, then by FROM; rows of one day keep the deciding order. With `from`,
 * rows without FROM are left out. Yields between rows.
 */
export const historyInSlices = function* (
  entity: Entity,
  { from, to }: HistoryWindow,
  page: Window,
): Sliced<Windowed<HistoryEntry>> {
  const rows = (yield* visibleRowsInSlices(entity)).filter(
    ({ range }) =>
      (from === undefined || (range.from !== null && range.from >= from)) &&
      (to === undefined || range.from === null || range.from <= to),
  )
  return yield* renderPageInSlices(yield* sortInSlices(rows, byFrom), page, entryOf)
}

/**
 * The sessions of an entity, oldest first (B 4.1): for a place those set there, for any other entity those
 * that name it in a block or in the prose, also by an inflected form. Indexed on first use, once per snapshot
 * part. Yields while it reads prose.
 */
export const sessionsOfInSlices = function* (
  { entities, names, sessions }: SessionSources,
  entity: Entity,
): Sliced<ReadonlyArray<Session>> {
  const index = isPlace(entity)
    ? settings(entities)(sessions)
    : yield* sessionsNamingInSlices(sessions, names)
  return index.get(entity) ?? []
}

/**
 * Dated rows and sessions, oldest first; rows without a first day come first (FORMATS 8). Yields between
 * them.
 */
export const timelineInSlices = function* (
  entity: Entity,
  sessions: ReadonlyArray<Session>,
): Sliced<ReadonlyArray<TimelineEntry>> {
  const dated = (yield* visibleRowsInSlices(entity)).filter(
    ({ range }) => range.from !== null || range.to !== null,
  )
  const entries = [...(yield* mapInSlices(dated, ofRow)), ...(yield* mapInSlices(sessions, ofSession))]
  return yield* sortInSlices(entries, byDate)
}

interface Pair {
  readonly source: Player
  readonly target: Player
  weight: number
}

const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0

/** Sessions with more players add no pairs: the pairs of one session grow with the square of its players. */
const playersMax = 64

/**
 * Once the graph has this many pairs, further sessions add none: nobody can read a larger graph (ADR 1028).
 */
const pairsMax = 100_000

const graph = (sessions: Sessions, names: NameIndex): SessionGraph => {
  const nodes = new Map<string, { readonly player: Player; sessions: number }>()
  const pairs = new Map<string, Pair>()
  for (const session of sessions.all) {
    const players = [...playersIn(session, names)].sort(byName)
    const meet = players.length <= playersMax && pairs.size < pairsMax
    players.forEach((source, at) => {
      const node = nodes.get(source.key) ?? { player: source, sessions: 0 }
      node.sessions += 1
      nodes.set(source.key, node)
      for (const target of meet ? players.slice(at + 1) : []) {
        const id = `${source.key}\n${target.key}`
        const pair = pairs.get(id) ?? { source, target, weight: 0 }
        pair.weight += 1
        pairs.set(id, pair)
      }
    })
  }
  return {
    NodeCount: nodes.size,
    EdgeCount: pairs.size,
    Nodes: [...nodes.values()]
      .sort((left, right) => byName(left.player, right.player))
      .map(node => ({ Name: node.player.name, Type: node.player.type, Sessions: node.sessions })),
    Edges: [...pairs.values()]
      .sort((left, right) => byName(left.source, right.source) || byName(left.target, right.target))
      .map(({ source, target, weight }) => ({
        Source: source.name,
        Target: target.name,
        Type: 'Session' as const,
        Weight: weight,
      })),
  }
}

const memo = perValue((names: NameIndex) => perValue((sessions: Sessions) => graph(sessions, names)))

const entryOf = (row: Row): HistoryEntry => ({
  date: row.range.from,
  dateEnd: row.range.to,
  property: propertyOf(row.tag),
  tag: row.tag,
  value: redactCredentials(row.value),
  auto: row.auto,
  file: pathOfSource(row.source),
  line: row.source._tag === 'Session' ? null : row.line,
  session: row.source._tag === 'Session' ? row.source.header : null,
})

const byFrom = (one: Row, other: Row): number => {
  const [first, second] = [one.range.from ?? '', other.range.from ?? '']
  return first < second ? -1 : first > second ? 1 : 0
}

const isPlace = (entity: Entity): boolean =>
  entity.type === 'Lokacja' || entity.type === 'Mapa' || entity.type === 'Region'

const placesAmong = perValue((owners: ReadonlyArray<Entity>) => owners.filter(isPlace))

/**
 * Every place that a name may mean: all homonyms among places, else the place of a slash path or a leaf. A
 * name of more than 200 places means none.
 */
const placesMeant = (entities: Entities, text: string, day: Day): ReadonlyArray<Entity> => {
  const key = nameKey(text)
  const owners = entities.byHeading.get(key) ?? entities.byAlias.get(key)
  const places = owners === undefined ? [] : placesAmong(owners)
  if (places.length > 0) return places.length > homonymsMax ? [] : places
  const place = placeNamed(entities, text, day)
  return place === null ? [] : [place]
}

type Setting = ReadonlyMap<Entity, ReadonlyArray<Session>>

const settings = perValue((entities: Entities) =>
  perValue((sessions: Sessions): Setting => {
    const set = new Map<Entity, Array<Session>>()
    const textsIn = (line: string) => placesNamed(line, text => isPlaceName(entities, text))
    for (const session of sessions.all) {
      const parts = new Set(sessionWithoutTopics(session).locations.flatMap(textsIn))
      const places = new Set([...parts].flatMap(part => placesMeant(entities, part, session.date)))
      for (const place of places) {
        const known = set.get(place)
        if (known === undefined) set.set(place, [session])
        else known.push(session)
      }
    }
    return set
  }),
)

/** The inputs of `sessionsOfInSlices`. */
interface SessionSources {
  readonly entities: Entities
  readonly names: NameIndex
  readonly sessions: Sessions
}

/** The labels of FORMATS 8; any other tag keeps its own name. */
const labels: ReadonlyMap<string, string> = new Map([
  ['lokacja', 'Lokacja'],
  ['status', 'Status'],
  ['grupa', 'Grupa'],
  ['należy_do', 'Właściciel'],
  ['typ', 'Typ'],
  ['drzwi', 'Drzwi'],
  ['ilość', 'Ilość'],
])

/** The label of a tag in answers. */
const propertyOf = (tag: string): string => labels.get(tag) ?? tag

const ofRow = (row: Row): TimelineEntry => ({
  date: row.range.from,
  dateEnd: row.range.to,
  property: propertyOf(row.tag),
  value: row.value,
  auto: row.auto,
  file: pathOfSource(row.source),
  session: row.source._tag === 'Session' ? row.source.header : null,
})

const ofSession = (session: Session): TimelineEntry => ({
  date: session.date,
  dateEnd: session.dateEnd,
  property: 'Sesja',
  value: session.title,
  auto: false,
  file: session.path,
  session: session.header,
})

const byDate = (one: TimelineEntry, other: TimelineEntry): number => {
  const [first, second] = [one.date ?? '', other.date ?? '']
  return first < second ? -1 : first > second ? 1 : 0
}
