import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Touched } from '#src/domain/lore/edits/change-set.js'
import type { FileEdit, Splice } from '#src/domain/lore/edits/file-edit.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'

type Kinded = Pick<Entity, 'type' | 'key'>

/** The key of a block: writes of one block are never planned on one snapshot (A 4.1). */
export const entityClaim = ({ type, key }: Kinded): string => `entity:${type}:${key}`

/** The key of a name: of two writes that give it, the later is planned again, and refused where it is taken. */
export const nameClaim = (key: NameKey): string => `name:${key}`

/** The names that values give a block: who gives one of them too is planned after it. */
export const spellingClaims = (tag: string, values: ReadonlyArray<string>): ReadonlyArray<string> =>
  nameTags.has(tag) ? values.map(value => nameClaim(nameKey(value))) : []

/** Of two writes that say where a Lokacja lies, the later sees the earlier: else each could close a circle. */
export const treeClaims = (type: EntityType, tag: string): ReadonlyArray<string> =>
  type === 'Lokacja' && tag === 'lokacja' ? ['tree:lokacja'] : []

export const touchedBlock = ({ type, name }: Pick<Entity, 'type' | 'name'>): Touched => ({
  kind: type === 'Postać' ? 'character' : 'entity',
  name,
})

/** The edit of one file; none where no line changes. */
export const fileEdit = (file: SourceFile, splices: ReadonlyArray<Splice>): ReadonlyArray<FileEdit> =>
  splices.length === 0 ? [] : [{ _tag: 'Lines', path: file.path, before: file.blob, splices }]
