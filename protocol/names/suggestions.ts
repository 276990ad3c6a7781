import * as t from 'io-ts'
import { EntityType } from '#protocol/atoms/vocabulary.js'
import { listOf } from '#protocol/list.js'
import { FoundStage } from './resolve.js'

const TextOrNull = t.union([t.string, t.null])
const texts = t.readonlyArray(t.string)

/** A place in the lore where a text stands. `session` or `entity` names what it stands in. */
export const NameWitness = t.type(
  {
    kind: t.keyof({ row: null, block: null, prose: null }),
    file: t.string,
    line: t.number,
    session: TextOrNull,
    entity: TextOrNull,
  },
  'NameWitness',
)
export type NameWitness = t.TypeOf<typeof NameWitness>

/** A text that only the fuzzy stage places: a misspelling, or a name that lacks an alias. */
export const SurfaceSuggestion = t.type(
  {
    surface: t.string,
    occurrences: t.number,
    name: t.string,
    type: EntityType,
    confidence: t.number,
    witnesses: t.readonlyArray(NameWitness),
  },
  'SurfaceSuggestion',
)
export type SurfaceSuggestion = t.TypeOf<typeof SurfaceSuggestion>

/** A name in the report that a shorter or misspelt one probably stands for (FORMATS 8). */
export const LikelyLocation = t.type(
  {
    Name: t.string,
    Reason: t.keyof({ QualifiedPath: null, EditDistance1: null, EditDistance2: null }),
    Confidence: t.keyof({ High: null, Medium: null, Low: null }),
  },
  'LikelyLocation',
)
export type LikelyLocation = t.TypeOf<typeof LikelyLocation>

/** The block that a location text means. `Name` and `Type` are null where several have the name. */
export const LocationMatch = t.type(
  {
    Name: TextOrNull,
    Type: t.union([EntityType, t.null]),
    Match: t.keyof({ Exact: null, Fuzzy: null }),
    Stage: FoundStage,
    Ambiguous: t.boolean,
  },
  'LocationMatch',
)
export type LocationMatch = t.TypeOf<typeof LocationMatch>

export const LocationConflict = t.type(
  {
    Kind: t.keyof({
      CaseVariant: null,
      TrailingArtifact: null,
      AmbiguousStandalone: null,
      InconsistentHierarchy: null,
      NearDuplicate: null,
    }),
    With: texts,
  },
  'LocationConflict',
)
export type LocationConflict = t.TypeOf<typeof LocationConflict>

/** A text that sessions name as a location (FORMATS 8). */
export const NamedLocation = t.type(
  {
    Name: t.string,
    NormalizedName: t.string,
    Variants: texts,
    OccurrenceCount: t.number,
    InferredParents: texts,
    InferredChildren: texts,
    LikelyResolvesTo: t.readonlyArray(LikelyLocation),
    EntityMatch: t.union([LocationMatch, t.null]),
    Conflicts: t.readonlyArray(LocationConflict),
    Witnesses: t.readonlyArray(NameWitness),
  },
  'NamedLocation',
)
export type NamedLocation = t.TypeOf<typeof NamedLocation>

/** `leftOut` counts the rarest locations, which are not described; 0 except in a very large lore. */
export const NamedLocations = t.type(
  { count: t.number, total: t.number, leftOut: t.number, items: t.readonlyArray(NamedLocation) },
  'NamedLocations',
)

/** `leftOut` counts the rarest surfaces, which were not looked up; 0 except in a very large lore. */
export const NameSuggestions = t.intersection(
  [listOf(SurfaceSuggestion, 'SurfaceSuggestions'), t.type({ leftOut: t.number, locations: NamedLocations })],
  'NameSuggestions',
)
export type NameSuggestions = t.TypeOf<typeof NameSuggestions>
