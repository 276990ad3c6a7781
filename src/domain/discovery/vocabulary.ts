import { capabilities, entityTypes, statuses } from '#protocol/atoms.js'
import type { Schema, SchemaVersion } from '#protocol/host/discovery.js'
import { denominations } from '#src/domain/currency/denomination.js'
import type { RolesTable } from '#src/domain/identity/grade.js'
import type { Format } from '#src/domain/lore/layout.js'
import { tagKeys, tagsOfType, universalTags } from '#src/domain/lore/tag-schema.js'

const tagsByType: Schema['tagsByType'] = {
  NPC: tagsOfType('NPC'),
  Grupa: tagsOfType('Grupa'),
  Lokacja: tagsOfType('Lokacja'),
  Mapa: tagsOfType('Mapa'),
  Gracz: tagsOfType('Gracz'),
  Postać: tagsOfType('Postać'),
  Przedmiot: tagsOfType('Przedmiot'),
  Region: tagsOfType('Region'),
}

/** The closed vocabulary, with the roles of a table and the towns of a topology (A 2.8). */
export const vocabulary = (roles: RolesTable, towns: ReadonlyArray<string>): Schema => ({
  entityTypes,
  statuses,
  tags: tagKeys,
  universalTags,
  tagsByType,
  denominations: denominations.map(one => one.name),
  towns,
  roles: [...roles.bundles.keys()],
  capabilities,
})

/**
 * The answer of `GET /schema/version`. Before the first snapshot the stamp is unknown, which counts as too
 * old.
 */
export const schemaVersion = (format: Format | null): SchemaVersion =>
  format === null
    ? { stamped: null, expected: 2, state: 'SchemaTooOld' }
    : { stamped: format.stamped, expected: format.expected, state: format.state }
