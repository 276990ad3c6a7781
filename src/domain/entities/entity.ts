import type { EntityType, NameKey, RepoPath } from '#protocol/atoms.js'
import type { LayeredMap } from '#src/domain/caching/layered-map.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Row } from '#src/domain/lore/rows/row.js'

/**
 * How `@ref` was followed (B 2.1): `list` uses the leading tag list of the file, `index` the block of the
 * same heading.
 */
export interface RefProvenance {
  readonly file: string
  readonly form: 'list' | 'index' | null
  /** Null when the target was read; otherwise the reason why not. */
  readonly broken: string | null
  /** Rows of the block itself that are ignored while the reference is active. */
  readonly hidden: ReadonlyArray<Row>
}

/**
 * A block of an index file. `rows` are its own, those of its `@ref` target, and those that closed sessions
 * add (FORMATS 4.5), per tag in the deciding order: undated first, then by FROM, stable (FORMATS 1.5).
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

/** The entities with each spelling. */
export type Owners = LayeredMap<NameKey, ReadonlyArray<Entity>>

/**
 * All entities of a snapshot: the Gracz blocks of the contributor store first, then index files by path, in
 * line order.
 */
export interface Entities {
  /** The entities of each file, in order. A file that a commit did not change keeps the same list object. */
  readonly groups: ReadonlyArray<ReadonlyArray<Entity>>
  readonly all: ReadonlyArray<Entity>
  /** By heading. Several blocks may share one (D12); they are ordered as `entityTypes`. */
  readonly byHeading: Owners
  /** By `@alias`, `@nazwa_svc`, `@nick`, with any range. */
  readonly byAlias: Owners
  /** By the names of `@generyczne_nazwy`, in the order of `all`. */
  readonly byGeneric: Owners
  readonly byType: ReadonlyMap<EntityType, ReadonlyArray<Entity>>
  readonly findings: ReadonlyArray<Finding>
}
