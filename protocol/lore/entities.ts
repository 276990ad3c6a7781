import * as t from 'io-ts'
import { EntityType, Status } from '../atoms.js'
import type { Descriptions } from '../description.js'
import { IntegrityFinding } from '../finding.js'
import { listOf } from '../list.js'
import { DayOrInstantText, DayText, EntityTypeText, Flag, StatusText, Text, windowQuery } from '../query.js'
import { read, type Table } from '../route.js'

const TextOrNull = t.union([t.string, t.null])
const NumberOrNull = t.union([t.number, t.null])
const Texts = t.readonlyArray(t.string)

/**
 * One row of a block, unknown tags included (D22): the tag without the at sign, its value with continuation
 * lines joined by a newline, its range. `File` or `Session` is its source.
 */
export const EntityTag = t.type(
  {
    Tag: t.string,
    Value: t.string,
    From: TextOrNull,
    To: TextOrNull,
    /** Written by a machine. */
    Auto: t.boolean,
    File: TextOrNull,
    Session: TextOrNull,
    Line: NumberOrNull,
  },
  'EntityTag',
)
export type EntityTag = t.TypeOf<typeof EntityTag>

/**
 * The projection of an entity on a day (B 2.1, A 2.3, A 2.5). An absent scalar is null, an absent list empty
 * (D18). `Location` of a Lokacja is its parent. `File` and `Line` are the place of the block; `Document` is
 * `@plik`.
 */
export const EntityAnswer = t.type(
  {
    Name: t.string,
    Type: EntityType,
    Status: Status,
    Owner: TextOrNull,
    Groups: Texts,
    Location: TextOrNull,
    Region: TextOrNull,
    Doors: Texts,
    Aliases: Texts,
    GenericNames: Texts,
    Quantity: NumberOrNull,
    GameId: TextOrNull,
    PuStartowe: NumberOrNull,
    PuSuma: NumberOrNull,
    PuZdobyte: NumberOrNull,
    PuNadmiar: NumberOrNull,
    Info: Texts,
    Document: TextOrNull,
    Tags: t.readonlyArray(EntityTag),
    RefFile: TextOrNull,
    RefForm: t.union([t.keyof({ list: null, index: null }), t.null]),
    RefBroken: t.boolean,
    RefBrokenReason: TextOrNull,
    File: t.string,
    Line: t.number,
    /** The text that a search matched; null without a search. */
    MatchedToken: TextOrNull,
    MatchStage: TextOrNull,
  },
  'Entity',
)
export type EntityAnswer = t.TypeOf<typeof EntityAnswer>

/** A single entity, with the types of other blocks that share the heading (D12). */
export const EntityFetch = t.intersection(
  [EntityAnswer, t.type({ AlsoTypes: t.readonlyArray(EntityType) })],
  'EntityFetch',
)
export type EntityFetch = t.TypeOf<typeof EntityFetch>

/** The name and type of a block, which identify it. */
export const EntityName = t.type({ name: t.string, type: EntityType }, 'EntityName')
export type EntityName = t.TypeOf<typeof EntityName>

const subject = { entity: t.string, type: EntityType } as const

const EntityList = listOf(EntityAnswer, 'EntityList')
const EntityIntegrity = listOf(IntegrityFinding, 'EntityIntegrity')

/** A block in `GET /entities/links` (B 2.1): heading, type, `@plik`, other spellings. */
export const EntityLink = t.type(
  { n: t.string, t: EntityType, p: TextOrNull, s: t.readonlyArray(t.string) },
  'EntityLink',
)
export type EntityLink = t.TypeOf<typeof EntityLink>
const EntityLinks = t.type({ count: t.number, items: t.readonlyArray(EntityLink) }, 'EntityLinks')

/**
 * The Gracz of a block: itself, or its owner at the end of the chain of owners. Null when the chain reaches
 * no Gracz.
 */
const EntityPlayer = t.type(
  {
    ...subject,
    player: t.union([
      t.type({ Name: t.string, Type: t.literal('Gracz'), GameId: TextOrNull }, 'GraczProjection'),
      t.null,
    ]),
    /** Owners between the block and the Gracz, both left out. */
    through: t.readonlyArray(EntityName),
  },
  'EntityPlayer',
)

/** The sessions of a block, oldest first (B 2.1). */
const EntitySessions = t.type(
  {
    entity: t.string,
    count: t.number,
    sessions: t.readonlyArray(
      t.type({ header: t.string, date: t.string, logCount: t.number }, 'EntitySession'),
    ),
  },
  'EntitySessions',
)

/** The position of a block in the tree of places (FORMATS 1.7). An ancestor without a block has type null. */
const EntityPath = t.type(
  {
    ...subject,
    path: t.string,
    ancestors: t.readonlyArray(
      t.type({ name: t.string, type: t.union([EntityType, t.null]) }, 'EntityAncestor'),
    ),
    cycle: t.boolean,
  },
  'EntityPath',
)

/**
 * The document of a block. `cut` is true when parts were left out: session blocks, topics, credentials (D15).
 */
const EntityFile = t.type({ ...subject, file: t.string, content: t.string, cut: t.boolean }, 'EntityFile')

const source = { file: TextOrNull, session: TextOrNull } as const

/** The locations of a block in the deciding order: undated first, then by the first day. */
const EntityLocations = t.type(
  {
    ...subject,
    current: TextOrNull,
    count: t.number,
    items: t.readonlyArray(
      t.type(
        {
          location: t.string,
          from: TextOrNull,
          to: TextOrNull,
          active: t.boolean,
          ...source,
        },
        'EntityStay',
      ),
    ),
  },
  'EntityLocations',
)

const Names = t.readonlyArray(EntityName)

/** A name as written in a row, with the type of the block that it means; null when there is none. */
export const EntityReference = t.type(
  { name: t.string, type: t.union([EntityType, t.null]) },
  'EntityReference',
)
export type EntityReference = t.TypeOf<typeof EntityReference>
const ReferenceOrNull = t.union([EntityReference, t.null])
const References = t.readonlyArray(EntityReference)

/** The relations of a block to others on a day, in both directions. */
const EntityRelations = t.type(
  {
    ...subject,
    owner: ReferenceOrNull,
    owned: Names,
    groups: References,
    members: Names,
    location: ReferenceOrNull,
    residents: Names,
    doors: References,
    refs: t.readonlyArray(
      t.type({ file: t.string, form: TextOrNull, brokenReason: TextOrNull }, 'EntityRef'),
    ),
  },
  'EntityRelations',
)

/** A dated row or a session in the life of a block (FORMATS 8). */
export const TimelineEntry = t.type(
  {
    date: TextOrNull,
    dateEnd: TextOrNull,
    property: t.string,
    value: t.string,
    auto: t.boolean,
    ...source,
  },
  'TimelineEntry',
)
export type TimelineEntry = t.TypeOf<typeof TimelineEntry>

/** A row of the merged state of a block, with its source (FORMATS 8). */
export const HistoryEntry = t.type(
  {
    date: TextOrNull,
    dateEnd: TextOrNull,
    property: t.string,
    tag: t.string,
    value: t.string,
    auto: t.boolean,
    line: t.union([t.number, t.null]),
    ...source,
  },
  'HistoryEntry',
)
export type HistoryEntry = t.TypeOf<typeof HistoryEntry>

const EntityHistory = t.intersection([t.type(subject), listOf(HistoryEntry, 'HistoryList')], 'EntityHistory')

const EntityTimeline = t.type(
  { ...subject, count: t.number, items: t.readonlyArray(TimelineEntry) },
  'EntityTimeline',
)

/** Query of every route about one block: which of several blocks, and on which day. */
const oneBlock = { type: EntityTypeText, activeOn: DayOrInstantText } as const

export const entitiesRoutes = {
  'entities.list': read({
    path: '/entities',
    wholeCorpus: true,
    summary: 'Every entity, filtered; fields as of `activeOn`, today without it.',
    capability: 'entity.read',
    query: {
      type: EntityTypeText,
      status: StatusText,
      group: Text,
      location: Text,
      name: Text,
      activeOn: DayOrInstantText,
      ...windowQuery,
    },
    answers: { 200: EntityList },
    refusals: [],
    source: 'B 4.1',
    example: {
      query: {
        type: 'NPC',
        status: 'Aktywny',
        group: 'Cech Kupców',
        location: 'Karczma Pod Dębem',
        name: 'Bogdan',
        activeOn: '2026-06-01',
        limit: '5',
        offset: '0',
      },
    },
  }),
  'entities.integrity.list': read({
    path: '/entities/integrity',
    summary:
      'The findings about the index, character files and other files: unread lines, tags, references, cycles.',
    capability: 'entity.read',
    findings: true,
    reads: ['adnotacje', 'probki'],
    query: { ...windowQuery },
    answers: { 200: EntityIntegrity },
    refusals: [],
    source: 'B 4.1, D13, D22',
    example: { query: { limit: '5', offset: '0' } },
  }),
  'entities.links.list': read({
    path: '/entities/links',
    summary: 'Every block as heading, type, document and other spellings.',
    capability: 'entity.read',
    query: { withFile: Flag, activeOn: DayOrInstantText },
    answers: { 200: EntityLinks },
    refusals: [],
    source: 'B 4.1',
    example: { query: { withFile: 'true', activeOn: '2026-06-01' } },
  }),
  'entities.get': read({
    path: '/entities/{name}',
    summary: 'One entity by heading, else by alias.',
    capability: 'entity.read',
    query: oneBlock,
    answers: { 200: EntityFetch },
    refusals: ['EntityNotFound'],
    source: 'B 4.1, D12',
    example: { path: { name: 'Kupiec Bogdan' }, query: { type: 'NPC', activeOn: '2026-06-01' } },
  }),
  'entities.player.get': read({
    path: '/entities/{name}/player',
    summary: 'The Gracz behind an entity.',
    capability: 'entity.read',
    query: oneBlock,
    answers: { 200: EntityPlayer },
    refusals: ['EntityNotFound'],
    source: 'B 4.1',
    example: { path: { name: 'Kupiec Bogdan' }, query: { type: 'NPC', activeOn: '2026-06-01' } },
  }),
  'entities.sessions.list': read({
    path: '/entities/{name}/sessions',
    summary:
      'Sessions that mention an entity; of a place, the sessions set there. A name means 200 blocks at most.',
    capability: 'session.read',
    query: { type: EntityTypeText },
    answers: { 200: EntitySessions },
    refusals: ['EntityNotFound'],
    source: 'B 2.1, B 4.1',
    example: { path: { name: 'Bogdan' }, query: { type: 'NPC' } },
  }),
  'entities.path.get': read({
    path: '/entities/{name}/path',
    summary: 'The canonical path of an entity in the tree of places.',
    capability: 'entity.read',
    query: oneBlock,
    answers: { 200: EntityPath },
    refusals: ['EntityNotFound'],
    source: 'B 4.1, FORMATS 1.7',
    example: { path: { name: 'Port Zamorze' }, query: { type: 'Lokacja', activeOn: '2026-06-01' } },
  }),
  'entities.file.get': read({
    path: '/entities/{name}/file',
    summary: 'The document of an entity, without session blocks for a caller who may not read sessions.',
    capability: 'entity.read',
    query: oneBlock,
    answers: { 200: EntityFile },
    refusals: ['EntityNotFound', 'FileNotFound'],
    source: 'B 4.1, D15',
    example: { path: { name: 'Kupiec Bogdan' }, query: { type: 'NPC', activeOn: '2026-06-01' } },
  }),
  'entities.locations.list': read({
    path: '/entities/{name}/locations',
    summary: 'Where an entity is and has been.',
    capability: 'entity.read',
    query: oneBlock,
    answers: { 200: EntityLocations },
    refusals: ['EntityNotFound'],
    source: 'B 4.1',
    example: { path: { name: 'Kupiec Bogdan' }, query: { type: 'NPC', activeOn: '2026-06-01' } },
  }),
  'entities.relations.get': read({
    path: '/entities/{name}/relations',
    summary: 'Owner, groups, place and doors of an entity, and who names it as such.',
    capability: 'entity.read',
    query: oneBlock,
    answers: { 200: EntityRelations },
    refusals: ['EntityNotFound'],
    source: 'B 4.1',
    example: { path: { name: 'Kupiec Bogdan' }, query: { type: 'NPC', activeOn: '2026-06-01' } },
  }),
  'entities.history.list': read({
    path: '/entities/{name}/history',
    summary: 'Every row of an entity with its range and source, undated first; `from`, `to` bound FROM.',
    capability: 'log.read',
    query: { type: EntityTypeText, from: DayText, to: DayText, ...windowQuery },
    answers: { 200: EntityHistory },
    refusals: ['EntityNotFound'],
    source: 'B 4.1, FORMATS 8',
    example: {
      path: { name: 'Kupiec Bogdan' },
      query: { type: 'NPC', from: '2024-01-01', to: '2026-12-31', limit: '5', offset: '0' },
    },
  }),
  'entities.timeline.list': read({
    path: '/entities/{name}/timeline',
    summary: 'Dated rows and sessions of an entity, oldest first.',
    capability: 'log.read',
    query: { type: EntityTypeText },
    answers: { 200: EntityTimeline },
    refusals: ['EntityNotFound'],
    source: 'B 4.1, FORMATS 8',
    example: { path: { name: 'Bogdan' }, query: { type: 'NPC' } },
  }),
} as const satisfies Table

const subjectText = {
  entity: 'Heading of the block that the path names.',
  type: 'Type of that block.',
} as const

const sourceText = {
  file: 'Path of the file that has the row or the session; null without one.',
  session: 'Heading of the session that states it; null when a row of the index does.',
} as const

const dated = {
  date: 'First day, `YYYY-MM-DD`; null when undated.',
  dateEnd: 'Last day, `YYYY-MM-DD`; null when open.',
  property: 'What the entry tells of, in Polish: a property of the block, or `Sesja`.',
  value: 'Value of the row, or title of the session.',
  auto: 'True when a program wrote the row.',
  ...sourceText,
} as const

const entity = {
  Name: 'Heading of the block.',
  Type: 'Type of the block, from the closed vocabulary of `GET /schema`.',
  Status: 'Status on the requested day.',
  Owner: 'Owner on the requested day, as written in `@należy_do`; null without one.',
  Groups: 'Groups on the requested day, as written in `@grupa`.',
  Location: 'Place on the requested day; of a Lokacja, the place that contains it; null when unknown.',
  Region: 'Region on the requested day; null when none is written.',
  Doors: 'Places that a `@drzwi` row leads to on the requested day.',
  Aliases: 'Other names on the requested day.',
  GenericNames: 'Common nouns that stand for the block in prose.',
  Quantity: 'Amount of an item or of money, in units of the block; null when none is written.',
  GameId: 'Id in the game; null when none is written.',
  PuStartowe: 'PU at the creation of the character, two decimals; null when unknown.',
  PuSuma: 'PU altogether: starting plus earned, two decimals; null when unknown.',
  PuZdobyte: 'PU earned in sessions, two decimals; null when unknown.',
  PuNadmiar: 'PU above the monthly maximum, kept for a later batch, two decimals; null when unknown.',
  Info: 'Values of `@info`, one text each.',
  Document: 'Path or address of the document, from `@plik`; null without one.',
  Tags: 'Every row of the block as it was read, unknown tags included.',
  RefFile: 'File that an `@ref` row of the block reads in; null without one.',
  RefForm: 'Form of the `@ref` file; null without one.',
  RefBroken: 'True when the `@ref` row cannot be followed.',
  RefBrokenReason: 'Why the `@ref` row cannot be followed, in Polish; null when it can.',
  File: 'Path of the file that has the block.',
  Line: 'Line of the heading, counted from 1.',
  MatchedToken: 'Part of the search text that matched this block; null outside a search.',
  MatchStage: 'Stage of the search that found this block; null outside a search.',
} as const

export const entityDescriptions: Descriptions = {
  Entity: entity,
  EntityFetch: {
    ...entity,
    AlsoTypes: 'Types of the other blocks with the same heading; choose one with `?type=`.',
  },
  EntityTag: {
    Tag: 'Tag of the row, without the at sign.',
    Value: 'Value of the row, its continuation lines joined by newlines.',
    From: 'First day of the range as written: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; null when open.',
    To: 'Last day of the range as written; null when open.',
    Auto: 'True when a program wrote the row.',
    File: 'Path of the file that has the row; null when a session states it.',
    Session: 'Heading of the session that states the row; null when a file does.',
    Line: 'Line of the row in its file, counted from 1; null when a session states it.',
  },
  EntityLink: {
    n: 'Heading of the block.',
    t: 'Type of the block.',
    p: 'Document of the block, from `@plik`; null without one.',
    s: 'Other spellings of the name: aliases and common nouns.',
  },
  EntityPlayer: {
    ...subjectText,
    player: 'The Gracz who owns the block, directly or through other owners; null when none does.',
    through: 'Owners between the block and the Gracz, nearest first.',
  },
  GraczProjection: {
    Name: 'Heading of the person in the contributor store.',
    Type: 'Always `Gracz`.',
    GameId: 'Id of the person in the game; null when none is open today.',
  },
  EntityName: { name: 'Heading of the block.', type: 'Type of the block.' },
  EntitySessions: {
    entity: 'Heading of the block that the path names.',
    sessions: 'Sessions that mention the block, or are set there, oldest first.',
  },
  EntitySession: {
    header: 'Heading of the session: `date, title, narrator`.',
    date: 'Day of the session in the fiction, `YYYY-MM-DD`.',
    logCount: 'Number of transcript addresses of the session.',
  },
  EntityPath: {
    ...subjectText,
    path: 'Path in the tree of places: the type, then the places from the outermost down, separated by slashes.',
    ancestors: 'Places that contain the block, outermost first.',
    cycle: 'True when the places contain each other, so that the path is cut.',
  },
  EntityAncestor: { name: 'Name of the place.', type: 'Type of its block; null when it has no block.' },
  EntityFile: {
    ...subjectText,
    file: 'Path of the document in the repository.',
    content: 'Text of the document, as Markdown.',
    cut: 'True when the text lacks parts that the caller may not read: sessions, topics, credentials.',
  },
  EntityLocations: {
    ...subjectText,
    current: 'Place on the requested day; null when unknown.',
    items: 'Places in the order of precedence: undated first, then by first day.',
  },
  EntityStay: {
    location: 'Name of the place, as written.',
    from: 'First day, `YYYY-MM-DD`; null when open.',
    to: 'Last day, `YYYY-MM-DD`; null when open.',
    active:
      'True for the one place of the requested day: of several ranges that cover it, the last to begin.',
    ...sourceText,
  },
  EntityReference: {
    name: 'Name as the row has it.',
    type: 'Type of the block that the name means; null when it means none.',
  },
  EntityRelations: {
    ...subjectText,
    owner: 'Owner on the requested day; null without one.',
    owned: 'Blocks that name this one as their owner.',
    groups: 'Groups that the block belongs to.',
    members: 'Blocks that name this one as their group.',
    location: 'Place of the block; null when unknown.',
    residents: 'Blocks that name this one as their place.',
    doors: 'Places that a `@drzwi` row of the block leads to.',
    refs: 'Files that `@ref` rows of the block read in.',
  },
  EntityRef: {
    file: 'Path that the `@ref` row names.',
    form: 'Form of that file, `list` or `index`; null when it cannot be read.',
    brokenReason: 'Why the row cannot be followed, in Polish; null when it can.',
  },
  TimelineEntry: dated,
  HistoryEntry: {
    ...dated,
    tag: 'Tag of the row, without the at sign.',
    line: 'Line of the row in its file, counted from 1; null when a session states it.',
  },
  EntityHistory: subjectText,
  EntityTimeline: { ...subjectText, items: 'Dated rows and sessions, oldest first.' },
}
