import * as t from 'io-ts'
import { CapabilityId } from '../atoms/capability.js'
import { EntityType, Status } from '../atoms/vocabulary.js'

const texts = t.readonlyArray(t.string)

/** Tag keys that each type accepts beyond the universal ones. */
const TagsByType = t.type(
  {
    NPC: texts,
    Grupa: texts,
    Lokacja: texts,
    Mapa: texts,
    Gracz: texts,
    Postać: texts,
    Przedmiot: texts,
    Region: texts,
  },
  'TagsByType',
)

/** `GET /schema`: the closed vocabulary (A 2.8). */
export const Schema = t.type(
  {
    entityTypes: t.readonlyArray(EntityType),
    statuses: t.readonlyArray(Status),
    tags: texts,
    universalTags: texts,
    tagsByType: TagsByType,
    denominations: texts,
    towns: texts,
    roles: texts,
    capabilities: t.readonlyArray(CapabilityId),
  },
  'Schema',
)
export type Schema = t.TypeOf<typeof Schema>

/** `GET /schema/version`: the format stamped in the repository, and the one that this daemon reads (D21). */
export const SchemaVersion = t.type(
  {
    stamped: t.union([t.number, t.null]),
    expected: t.literal(2),
    state: t.keyof({ Current: null, SchemaTooOld: null, SchemaTooNew: null }, 'FormatState'),
  },
  'SchemaVersion',
)
export type SchemaVersion = t.TypeOf<typeof SchemaVersion>
