import * as t from 'io-ts'
import { EntityType } from '#protocol/atoms/vocabulary.js'
import { IntegrityFinding } from '#protocol/finding.js'
import { listOf } from '#protocol/list.js'
import { EntityAnswer } from './entity.js'

const TextOrNull = t.union([t.string, t.null])

/** The name and type of a block, which identify it. */
export const EntityName = t.type({ name: t.string, type: EntityType }, 'EntityName')
export type EntityName = t.TypeOf<typeof EntityName>

const subject = { entity: t.string, type: EntityType } as const

export const EntityList = listOf(EntityAnswer, 'EntityList')
export const EntityIntegrity = listOf(IntegrityFinding, 'EntityIntegrity')

/** A block in `GET /entities/links` (B 2.1): heading, type, `@plik`, other spellings. */
export const EntityLink = t.type(
  { n: t.string, t: EntityType, p: TextOrNull, s: t.readonlyArray(t.string) },
  'EntityLink',
)
export type EntityLink = t.TypeOf<typeof EntityLink>
export const EntityLinks = t.type({ count: t.number, items: t.readonlyArray(EntityLink) }, 'EntityLinks')

/**
 * The Gracz of a block: itself, or its owner at the end of the chain of owners. Null when the chain reaches
 * no Gracz.
 */
export const EntityPlayer = t.type(
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
export const EntitySessions = t.type(
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
export const EntityPath = t.type(
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
export const EntityFile = t.type(
  { ...subject, file: t.string, content: t.string, cut: t.boolean },
  'EntityFile',
)

const source = { file: TextOrNull, session: TextOrNull } as const

/** The locations of a block in the deciding order: undated first, then by the first day. */
export const EntityLocations = t.type(
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
export const EntityRelations = t.type(
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

export const EntityHistory = t.intersection(
  [t.type(subject), listOf(HistoryEntry, 'HistoryList')],
  'EntityHistory',
)

export const EntityTimeline = t.type(
  { ...subject, count: t.number, items: t.readonlyArray(TimelineEntry) },
  'EntityTimeline',
)
