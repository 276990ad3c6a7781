import type { GraphEdge, LocationGraph } from '#protocol/places.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Places } from '#src/domain/entities/places/places.js'
import { statusOn } from '#src/domain/entities/state.js'

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
