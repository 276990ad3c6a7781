import type { NameKey } from '#protocol/atoms/name.js'
import type { RepoPath } from '#protocol/atoms/path.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Finding } from '#src/lore/finding.js'
import type { Row } from '#src/lore/row.js'

/**
 * How `@ref` was followed (B 2.1): `list` takes the leading tag list of the file, `index` the block of the
 * same heading.
 */
export interface RefProvenance {
  readonly file: string
  readonly form: 'list' | 'index' | null
  /** Null when the target was read; else why not. */
  readonly broken: string | null
}

/**
 * A block of an index file. `rows` are its own, those of its `@ref` target, and those that closed sessions add
 * (FORMATS 4.5), per tag in the order that decides: undated first, then by FROM, stable (FORMATS 1.5).
 */
export interface Entity {
  readonly name: string
  readonly key: NameKey
  readonly type: EntityType
  readonly file: RepoPath
  readonly line: number
  readonly endLine: number
  readonly rows: ReadonlyArray<Row>
  readonly ref: RefProvenance | null
}

/**
 * All entities of a snapshot: the Gracz blocks of the contributor store first, then index files by path, in
 * line order.
 */
export interface Entities {
  readonly all: ReadonlyArray<Entity>
  /** By heading. Several blocks may share one (D12): ordered as `entityTypes`. */
  readonly byHeading: ReadonlyMap<NameKey, ReadonlyArray<Entity>>
  /** By `@alias`, `@nazwa_svc`, `@nick`, whatever their range. */
  readonly byAlias: ReadonlyMap<NameKey, ReadonlyArray<Entity>>
  readonly byType: ReadonlyMap<EntityType, ReadonlyArray<Entity>>
  readonly findings: ReadonlyArray<Finding>
}
