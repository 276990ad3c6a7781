import { type EntityType, type NameKey, nameKey } from '#protocol/atoms.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Touched } from '#src/domain/lore/changes.js'
import { type FileEdit, keepHidden, type Splice } from '#src/domain/lore/file-edit.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { nameTags } from '#src/domain/lore/rows.js'
import { readFile } from './target.js'

type Kinded = Pick<Entity, 'type' | 'key'>

/** The claim on a block: the gate never plans two writes of one block on one snapshot (A 4.1). */
export const entityClaim = ({ type, key }: Kinded): string => `entity:${type}:${key}`

/**
 * The claim on a name. Of two writes that give one name, the later is planned again and then refused as
 * taken.
 */
export const nameClaim = (key: NameKey): string => `name:${key}`

/** The claims on the names that values give a block. */
export const spellingClaims = (tag: string, values: ReadonlyArray<string>): ReadonlyArray<string> =>
  nameTags.has(tag) ? values.map(value => nameClaim(nameKey(value))) : []

/**
 * The claim on the tree of places. Without it two writes of parents on one snapshot could together close a
 * cycle.
 */
export const treeClaims = (type: EntityType, tag: string): ReadonlyArray<string> =>
  type === 'Lokacja' && tag === 'lokacja' ? ['tree:lokacja'] : []

/** What a write to the block reports as changed. */
export const touchBlock = ({ type, name }: Pick<Entity, 'type' | 'name'>): Touched => ({
  kind: type === 'Postać' ? 'character' : 'entity',
  name,
})

/** The edit of one file; empty when no line changes. */
export const fileEdit = (file: SourceFile, splices: ReadonlyArray<Splice>): ReadonlyArray<FileEdit> =>
  splices.length === 0
    ? []
    : [
        {
          _tag: 'Lines',
          path: file.path,
          before: file.blob,
          splices: keepHidden(readFile(file).lines, splices),
        },
      ]
