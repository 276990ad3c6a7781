import * as t from 'io-ts'
import { EntityType, Status } from '../atoms.js'
import { namingBody } from '../bounds.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import {
  Adoption,
  AdoptionFinding,
  adoptionRefusals,
  describeAdoptedEntities,
  describeAdoptedRegistry,
  gateAnswerWithinMs,
} from '../host/admin.js'
import { JobEnvelope } from '../host/jobs.js'
import { listOf } from '../list.js'
import { Flag, Text, windowQuery } from '../query.js'
import { actsOnHost, pipelineRefusals, read, route, type Table, write } from '../route.js'
import { Created, CreatePreview, TagPatch, TagValues, UpdateAnswer } from './entity-writes.js'

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

const words: ReadonlyMap<unknown, boolean> = new Map([
  ['tak', true],
  ['true', true],
  ['nie', false],
  ['false', false],
])

/** `tak` or `nie`, as `@outerior` is written; `true` and `false` are accepted too. */
const OuteriorText = new t.Type<boolean, unknown, unknown>(
  'Outerior',
  t.boolean.is,
  (u, c) => {
    const value = words.get(u)
    return value === undefined ? t.failure(u, c) : t.success(value)
  },
  t.identity,
)

const Severity = t.keyof({ error: null, warning: null })

/**
 * The lint kinds of A 2.5, closed, with their severity, in its order. The ledger's kinds are added as errors.
 */
export const lintKinds = {
  'zdublowany-nagłówek': 'error',
  'podwójnie-aktywny-wiersz': 'error',
  'wiszący-ref': 'error',
  'łańcuch-ref': 'error',
  'wielokrotny-ref': 'error',
  'odrzucona-ścieżka-ref': 'error',
  'nieczytelny-ref': 'error',
  'rejestr-w-indeksie': 'error',
  'obca-zmiana-pliku-robota': 'warning',
  'przepisana-historia': 'error',
  'konflikt-ref': 'warning',
} as const satisfies Readonly<Record<string, t.TypeOf<typeof Severity>>>

/**
 * A lint finding (A 2.5). `entity` is null when a finding of the ledger concerns a whole file. `reason` is
 * Polish.
 */
export const LintFinding = t.intersection(
  [
    t.type({
      kind: t.string,
      severity: Severity,
      entity: t.union([t.string, t.null]),
      reason: t.string,
    }),
    t.partial({
      tag: t.string,
      files: t.readonlyArray(t.string),
      values: t.readonlyArray(t.string),
    }),
  ],
  'LintFinding',
)
export type LintFinding = t.TypeOf<typeof LintFinding>

export const ConvergeLint = t.intersection(
  [
    t.type({
      at: t.union([t.string, t.null]),
      stats: t.type({ errors: t.number, warnings: t.number, total: t.number }),
      findings: t.readonlyArray(LintFinding),
      fresh: t.boolean,
    }),
    t.partial({ sha: t.union([t.string, t.null]) }),
  ],
  'ConvergeLint',
)
export type ConvergeLint = t.TypeOf<typeof ConvergeLint>

/** The claim lint (A 2.5, D35, docs/spec/places.md#lint). */
export const ClaimLint = t.type(
  {
    file: t.string,
    findingCount: t.number,
    findings: t.readonlyArray(LintFinding),
    stats: t.type({
      claims: t.number,
      blocks: t.number,
      splitGroups: t.number,
      operator: t.number,
      auto: t.number,
    }),
    convergeLint: ConvergeLint,
  },
  'ClaimLint',
)
export type ClaimLint = t.TypeOf<typeof ClaimLint>

const counted = {
  findingCount: t.number,
  findings: t.readonlyArray(AdoptionFinding),
  stats: t.type({
    Entities: Adoption.types[0].props.Entities,
    SessionsObserved: t.number,
    SessionRegistry: Adoption.types[0].props.SessionRegistry,
    /** Files of the commit. */
    Files: t.number,
  }),
} as const

/** A speaker in sessions that is no entity; `Suggestions` are the nearest characters. */
export const SpeakerProposal = t.type(
  {
    Speaker: t.string,
    Sessions: t.number,
    First: t.string,
    Last: t.string,
    Suggestions: t.readonlyArray(t.string),
  },
  'SpeakerProposal',
)
export type SpeakerProposal = t.TypeOf<typeof SpeakerProposal>

export const Reindexed = t.type(
  { reindexed: t.boolean, ...counted, speakerProposals: t.readonlyArray(SpeakerProposal) },
  'Reindexed',
)
export type Reindexed = t.TypeOf<typeof Reindexed>

/** `wouldReindex` and `reindexed` are true when a file changes. */
const Reindex = t.union([Reindexed, t.type({ wouldReindex: t.boolean, ...counted })], 'Reindex')

/** A way from one place to another, stored as a `@drzwi` row of the first. `remove` ends it. */
export const TraversalLink = t.intersection(
  [t.type({ source: t.string, target: t.string }), t.partial({ remove: t.boolean })],
  'TraversalLink',
)
export type TraversalLink = t.TypeOf<typeof TraversalLink>

const ends = { to: t.string, changed: t.boolean } as const

const Linked = t.type({ linked: t.string, ...ends }, 'Linked')
export type Linked = t.TypeOf<typeof Linked>

const LinkAnswer = t.union([Linked, previewOf({ wouldLink: t.string, ...ends }, 'LinkPreview')], 'LinkAnswer')

export const placesRoutes = {
  'locations.list': read({
    path: '/locations',
    summary: 'The places, filtered by parent, region or whether they lie outdoors.',
    capability: 'entity.read',
    query: { parent: Text, outerior: OuteriorText, region: Text, ...windowQuery },
    answers: { 200: listOf(LocationRow, 'Locations') },
    refusals: [],
    source: 'A 4.8',
    example: { query: { parent: 'Zamorze', outerior: 'nie', region: 'Pogranicze', limit: '5', offset: '0' } },
  }),
  'locations.graph.get': read({
    path: '/locations/graph',
    summary: 'The places as a graph of containment and doors.',
    capability: 'entity.read',
    query: {},
    answers: { 200: LocationGraph },
    refusals: [],
    source: 'A 4.8',
    example: {},
  }),
  'locations.get': read({
    path: '/locations/{name}',
    summary: 'One place with the places directly in it.',
    capability: 'entity.read',
    query: {},
    answers: { 200: Location },
    refusals: ['LocationNotFound'],
    source: 'A 4.8',
    example: { path: { name: 'Port Zamorze' } },
  }),
  // No replica: a fresh run contains its time and a recording belongs to the host (docs/spec/places.md#lint).
  'claims.lint.get': route({
    method: 'GET',
    path: '/claims/lint',
    summary: 'The lint of the index: the recording of the last converge, or with `fresh` a run now.',
    capability: 'entity.read',
    own: false,
    write: false,
    replica: false,
    pool: true,
    poolReason: null,
    pooledWith: 'fresh',
    unbudgeted: true,
    etag: false,
    early: false,
    query: { fresh: Flag },
    body: null,
    answers: { 200: ClaimLint },
    refusals: [],
    source: 'A 4.8',
    example: { query: { fresh: 'true' } },
  }),
  'maps.traversal.get': read({
    path: '/maps/traversal',
    summary: 'The moves between places that sessions tell of.',
    capability: 'entity.read',
    query: {},
    answers: { 200: TraversalGraph },
    refusals: [],
    source: 'A 4.8',
    example: {},
  }),
} as const satisfies Table

const LocationCreate = t.intersection(
  [t.type({ name: t.string }), t.partial({ tags: TagValues })],
  'LocationCreate',
)

/** Fields of a Mapa beside `tags` (A 4.8). */
const metadata = {
  gameid: t.union([t.string, t.number]),
  url: t.string,
  wymiary: t.string,
  koordynaty: t.string,
  slug: t.string,
  lokacja: t.string,
} as const

export const MapCreate = t.intersection(
  [t.type({ name: t.string }), t.partial({ tags: TagValues, ...metadata })],
  'MapCreate',
)
export type MapCreate = t.TypeOf<typeof MapCreate>

export const mapMetadata = ['gameid', 'url', 'wymiary', 'koordynaty', 'slug', 'lokacja'] as const

const ofPlaces = {
  capability: 'entity.write',
  own: false,
  query: {},
  source: 'A 4.8, docs/spec/places.md#writing',
} as const

const creation = {
  method: 'POST',
  answers: { 200: CreatePreview, 201: Created },
  refusals: ['TagUnknown', 'ValueRefused', 'NameTaken'],
} as const

const update = { method: 'PATCH', body: TagPatch, answers: { 200: UpdateAnswer } } as const

/** Writes of places and maps (A 4.8). */
export const placesWriteRoutes = {
  'locations.create': write({
    ...ofPlaces,
    ...creation,
    path: '/locations',
    summary: 'Makes a Lokacja.',
    body: LocationCreate,
    bounds: namingBody,
    example: { body: { name: 'Młyn', tags: { lokacja: 'Zamorze' } } },
  }),
  'locations.update': write({
    ...ofPlaces,
    ...update,
    path: '/locations/{name}',
    summary: 'Gives one tag of a Lokacja a value, or ends one.',
    refusals: ['BodyInvalid', 'LocationNotFound', 'AmbiguousName', 'TagUnknown', 'ValueRefused', 'NameTaken'],
    example: { path: { name: 'Port Zamorze' }, body: { tag: 'region', value: 'Pogranicze' } },
  }),
  'maps.create': write({
    ...ofPlaces,
    ...creation,
    path: '/maps',
    summary: 'Makes a Mapa, active from this month.',
    body: MapCreate,
    bounds: namingBody,
    example: { body: { name: 'Zamorze', gameid: '615', wymiary: '96x64' } },
  }),
  'maps.update': write({
    ...ofPlaces,
    ...update,
    path: '/maps/{name}',
    summary: 'Gives one tag of a Mapa a value, or ends one.',
    refusals: ['BodyInvalid', 'MapNotFound', 'AmbiguousName', 'TagUnknown', 'ValueRefused', 'NameTaken'],
    example: { path: { name: 'Plan portu' }, body: { tag: '@gameid', value: '616' } },
  }),
} as const satisfies Table

/** Regenerating the index, and ways between places (A 4.8). */
export const reindexRoutes = {
  'locations.reindex': route({
    ...actsOnHost,
    method: 'POST',
    path: '/locations/reindex',
    summary: 'Runs the adoption again and lists speakers without an entity; `async=true` makes it a job.',
    capability: 'location.override',
    // No write flag, although it commits: the handler asks the gate itself (D28).
    query: { async: Flag },
    answerWithinMs: gateAnswerWithinMs,
    body: t.type({}, 'Nothing'),
    answers: { 200: Reindex, 202: JobEnvelope },
    refusals: [...pipelineRefusals.write, ...adoptionRefusals],
    source: 'A 4.8, D28, D33',
    example: { query: { async: 'false' }, body: {} },
  }),
  'maps.traversal.link': write({
    method: 'POST',
    path: '/maps/traversal',
    summary: 'Makes or ends a way from one place to another, kept as a `@drzwi` row.',
    capability: 'entity.write',
    own: false,
    query: {},
    body: TraversalLink,
    answers: { 200: LinkAnswer },
    refusals: ['LocationNotFound', 'AmbiguousName', 'ValueRefused'],
    source: 'A 4.8, docs/spec/places.md#ways',
    example: { body: { source: 'Zamorze', target: 'Port Zamorze' } },
  }),
} as const satisfies Table

const place = {
  Name: 'Heading of the place.',
  Type: 'Always `Lokacja`.',
  Status: 'Status on the day of the answer.',
  Location: 'Place that contains this one: its heading, or the text as written; null for an outermost place.',
  Path: 'Path in the tree of places: `Lokacja`, then the places from the outermost down, separated by slashes.',
  Doors: 'Places that a `@drzwi` row leads to.',
  Region: 'Region; null when none is written.',
  Outerior: 'True under the open sky, false indoors; null when not written.',
  Aliases: 'Other names of the place.',
  AlsoTypes: 'Types of the other blocks with the same heading.',
} as const

const tags = 'Values by tag without the at sign; a list for a tag with several values.'

const linked = { to: 'Heading of the place that the way leads to.' } as const

export const placeDescriptions: Descriptions = {
  LocationRow: place,
  Location: { ...place, Children: 'Headings of the places directly in this one, deleted ones left out.' },
  LocationGraph: {
    NodeCount: 'Number of places.',
    EdgeCount: 'Number of `Edges`.',
    Edges: 'Containments and doors between places.',
  },
  LocationEdge: {
    Source: 'Place whose block has the row.',
    Target: 'Place that the row names.',
    Type: 'Whether the target contains the source or a door leads to it.',
  },
  TraversalGraph: { EdgeCount: 'Number of `Edges`.', Edges: 'Moves between places.' },
  TraversalEdge: {
    Source: 'Place that the move starts in.',
    Target: 'Place that the move ends in.',
    Type: 'Whether the places are neighbours in the tree (`Containment`) or not (`Teleport`).',
    Weight: 'Number of moves.',
    Origins: 'What tells of the moves: sessions or transcripts.',
  },
  LocationCreate: { name: 'Heading of the new place.', tags },
  MapCreate: {
    name: 'Heading of the new map.',
    tags,
    gameid: 'Id of the map in the game.',
    url: 'Address of the picture of the map.',
    wymiary: 'Width and height of the map, as `96x64`.',
    koordynaty: 'Coordinates of the map.',
    slug: 'Short name of the map for addresses.',
    lokacja: 'Place that the map shows.',
  },
  TraversalLink: {
    source: 'Place that the way starts in; its block gets the row.',
    target: 'Place that the way leads to.',
    remove: 'True ends the way instead of making it.',
  },
  Linked: { linked: 'Heading of the place whose block was written.', ...linked },
  LinkPreview: { wouldLink: 'Heading of the place whose block would be written.', ...linked },
  LintFinding: {
    kind: 'Kind of the finding, from a closed set.',
    severity: 'Whether it is an error or a warning.',
    entity: 'Heading of the block; null when the finding is of a file.',
    reason: 'What is wrong, in Polish.',
    tag: 'Tag of the rows, where the finding is of one.',
    files: 'Paths of the files that it is about.',
    values: 'Values that conflict.',
  },
  ConvergeLint: {
    at: 'When the lint ran, ISO 8601 in UTC; null when it never did.',
    stats: 'Number of findings by severity.',
    findings: 'What the lint found.',
    fresh: 'True when the lint ran for this request, false when it was recorded after a converge.',
    sha: 'Commit that the lint looked at; null without one.',
  },
  'ConvergeLint.stats': {
    errors: 'Number of errors.',
    warnings: 'Number of warnings.',
    total: 'Both together.',
  },
  ClaimLint: {
    file: 'Path of the index that was looked at.',
    findingCount: 'Number of `findings`.',
    findings: 'What the lint of the index found.',
    stats: 'Numbers of rows and blocks of the index.',
    convergeLint: 'The lint of the whole lore after the last converge, or of now with `fresh`.',
  },
  'ClaimLint.stats': {
    claims: 'Rows of the index.',
    blocks: 'Blocks of the index.',
    splitGroups: 'Blocks that read rows from another file by `@ref`.',
    operator: 'Rows that a person wrote.',
    auto: 'Rows that a program wrote.',
  },
}

const countedText = {
  findingCount: 'Number of `findings`.',
  findings: 'What the lore lacks or has in excess.',
  stats: 'Numbers of what the lore has.',
} as const

const stats = {
  Entities: 'Number of blocks by type.',
  SessionsObserved: 'Number of sessions that were read.',
  SessionRegistry: 'Numbers of the registry of sessions by place.',
  Files: 'Number of files that the commit changes.',
} as const

export const reindexDescriptions: Descriptions = {
  Reindexed: {
    reindexed: 'True when a file was changed.',
    ...countedText,
    speakerProposals: 'Speakers in sessions that have no block.',
  },
  'Reindexed.stats': stats,
  ...describeAdoptedEntities('Reindexed.stats'),
  ...describeAdoptedRegistry('Reindexed.stats'),
  Reindex: { wouldReindex: 'True when a file would be changed.', ...countedText },
  'Reindex.stats': stats,
  ...describeAdoptedEntities('Reindex.stats'),
  ...describeAdoptedRegistry('Reindex.stats'),
  SpeakerProposal: {
    Speaker: 'Name of the speaker, as written.',
    Sessions: 'Number of sessions with the speaker.',
    First: 'Day of the first of them, `YYYY-MM-DD`.',
    Last: 'Day of the last of them, `YYYY-MM-DD`.',
    Suggestions: 'Headings of the characters with the most similar names, best first.',
  },
}
