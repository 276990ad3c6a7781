import * as t from 'io-ts'
import { EntityType, Status } from '../atoms/vocabulary.js'

const orNull = <C extends t.Mixed>(codec: C) => t.union([codec, t.null])

const projection = {
  Name: t.string,
  Type: t.literal('Lokacja'),
  Status,
  Location: orNull(t.string),
  Path: t.string,
  Doors: t.readonlyArray(t.string),
  Region: orNull(t.string),
  Outerior: orNull(t.boolean),
  Aliases: t.readonlyArray(t.string),
  AlsoTypes: t.readonlyArray(EntityType),
}

/**
 * A place in a list (A 2.5). `Location` is the parent's heading, or the value as written when no place
 * matches.
 */
export const LocationRow = t.type(projection, 'LocationRow')
export type LocationRow = t.TypeOf<typeof LocationRow>

/** A single place: `Children` are the headings of the places directly in it, without deleted ones. */
export const Location = t.type({ ...projection, Children: t.readonlyArray(t.string) }, 'Location')
export type Location = t.TypeOf<typeof Location>

const GraphEdge = t.type(
  { Source: t.string, Target: t.string, Type: t.keyof({ Containment: null, Door: null }) },
  'LocationEdge',
)
export type GraphEdge = t.TypeOf<typeof GraphEdge>

/**
 * The graph of places (A 2.5): `Source` has the row, `Target` is the place that it names
 * (docs/spec/places.md#a-2-5).
 */
export const LocationGraph = t.type(
  { NodeCount: t.number, EdgeCount: t.number, Edges: t.readonlyArray(GraphEdge) },
  'LocationGraph',
)
export type LocationGraph = t.TypeOf<typeof LocationGraph>

const TraversalEdge = t.type(
  {
    Source: t.string,
    Target: t.string,
    Type: t.keyof({ Containment: null, Teleport: null }),
    Weight: t.number,
    Origins: t.readonlyArray(t.keyof({ session: null, transcript: null })),
  },
  'TraversalEdge',
)
export type TraversalEdge = t.TypeOf<typeof TraversalEdge>

/** Moves between places, from sessions (A 2.5). `Weight` is the number of moves. */
export const TraversalGraph = t.type(
  { EdgeCount: t.number, Edges: t.readonlyArray(TraversalEdge) },
  'TraversalGraph',
)
export type TraversalGraph = t.TypeOf<typeof TraversalGraph>
