import type { GraphEdge, LocationGraph, TraversalEdge, TraversalGraph } from '#protocol/lore/places.js'
import { formatCount } from '#src/domain/caching/per-value.js'
import { isPlaceName } from '#src/domain/entities/below.js'
import { type Entities, type Entity, statusOn } from '#src/domain/entities/entity.js'
import { locationMeant, type Places } from '#src/domain/entities/places.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { cleanPlace, stopsOf } from '#src/domain/sessions/reading/mentions.js'
import { type Session, type Sessions, sessionWithoutTopics } from '#src/domain/sessions/session.js'

/**
 * The traversal graph (A 4.8): a move is a step between two consecutive stops of one session that are
 * different places. A stop that names no place is skipped and is a finding. Linear in the entries of
 * `@Lokacje`.
 */
export const traversalOf = (places: Places, sessions: Sessions): Traversal => {
  const known = new Map<string, Entity | null>()
  const meant = (text: string): Entity | null => {
    const before = known.get(text)
    if (before !== undefined) return before
    const found = locationMeant(places.entities, text, places.day)
    known.set(text, found)
    return found
  }
  const moves = new Map<Entity, Map<Entity, number>>()
  const findings: Array<Finding> = []
  for (const session of sessions.all) {
    const { stops, unmet } = itineraryOf(session, places.entities, meant)
    if (unmet.length > 0) findings.push(unmetFinding(session, unmet))
    stops.forEach((target, at) => {
      const source = stops[at - 1]
      if (source === undefined || source === target) return
      const targets = moves.get(source) ?? new Map<Entity, number>()
      targets.set(target, (targets.get(target) ?? 0) + 1)
      moves.set(source, targets)
    })
  }
  const edges = [...edgesOf(places, moves)].sort(byNames)
  return { graph: { EdgeCount: edges.length, Edges: edges }, findings }
}

/**
 * The graph of the places that are not deleted (A 2.5). An edge goes from the place whose row states it to
 * the place that the row names; a row that names no node adds none (docs/spec/places.md#a-2-5).
 */
export const graphOf = (places: Places): LocationGraph => {
  const nodes = new Set(places.all.filter(place => statusOn(place, places.day) !== 'Usunięty'))
  const edges: Array<GraphEdge> = []
  const add = (place: Entity, target: Entity | undefined, type: GraphEdge['Type']): void => {
    if (target !== undefined && nodes.has(target))
      edges.push({ Source: place.name, Target: target.name, Type: type })
  }
  for (const place of nodes) {
    add(place, places.parents.get(place), 'Containment')
    for (const target of places.doors.get(place) ?? []) add(place, target, 'Door')
  }
  return { NodeCount: nodes.size, EdgeCount: edges.length, Edges: edges }
}

/** The moves in sessions, and findings for `@Lokacje` that name no place. */
interface Traversal {
  readonly graph: TraversalGraph
  readonly findings: ReadonlyArray<Finding>
}

interface Itinerary {
  readonly stops: ReadonlyArray<Entity>
  readonly unmet: ReadonlyArray<string>
}

/** The stops of a session in order; a route has several (FORMATS 4.3). */
const stopsIn = (session: Session, entities: Entities): ReadonlyArray<string> =>
  sessionWithoutTopics(session).locations.flatMap(line =>
    stopsOf(line, text => isPlaceName(entities, text)).map(cleanPlace),
  )

const itineraryOf = (
  session: Session,
  entities: Entities,
  meant: (text: string) => Entity | null,
): Itinerary => {
  const stops: Array<Entity> = []
  const unmet: Array<string> = []
  for (const text of stopsIn(session, entities)) {
    const found = meant(text)
    if (found === null) unmet.push(text)
    else stops.push(found)
  }
  return { stops, unmet }
}

const unmetForms = [
  'wpis bloku Lokacje nie wskazuje',
  'wpisy bloku Lokacje nie wskazują',
  'wpisów bloku Lokacje nie wskazuje',
] as const

const unmetFinding = (session: Session, unmet: ReadonlyArray<string>): Finding => ({
  kind: 'SessionPlaceUnknown',
  severity: 'info',
  file: session.path,
  line: session.copies[0]?.line ?? null,
  subject: session.header,
  reason: `${formatCount(unmet.length, unmetForms)} dokładnie jednej Lokacji: ${unmet.slice(0, 5).join(', ')}.`,
  suggestion: 'Dodaj Lokację, dopisz @alias albo podaj nazwę z nadrzędną Lokacją.',
})

const areAdjacent = (places: Places, one: Entity, other: Entity): boolean =>
  places.parents.get(one) === other ||
  places.parents.get(other) === one ||
  places.doors.get(one)?.has(other) === true ||
  places.doors.get(other)?.has(one) === true

const byNames = (left: TraversalEdge, right: TraversalEdge): number => {
  if (left.Source !== right.Source) return left.Source < right.Source ? -1 : 1
  return left.Target < right.Target ? -1 : left.Target > right.Target ? 1 : 0
}

const edgesOf = (
  places: Places,
  moves: ReadonlyMap<Entity, ReadonlyMap<Entity, number>>,
): ReadonlyArray<TraversalEdge> =>
  [...moves].flatMap(([source, targets]) =>
    [...targets].map(
      ([target, weight]): TraversalEdge => ({
        Source: source.name,
        Target: target.name,
        Type: areAdjacent(places, source, target) ? 'Containment' : 'Teleport',
        Weight: weight,
        Origins: ['session'],
      }),
    ),
  )
