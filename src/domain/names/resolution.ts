import type { Day } from '#protocol/atoms/day.js'
import type { NameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import type { Entity } from '#src/domain/entities/entity.js'

/** How a name was matched (B 4.3, FORMATS 5.5). */
export type ResolutionStage =
  | 'exact'
  | 'alias'
  | 'declension'
  | 'alternation'
  | 'title'
  | 'lemma'
  | 'fuzzy'
  | 'miss'

export interface ResolveOptions {
  /** Only blocks of these types count. Applied before homonyms are judged (FORMATS 5.2). */
  readonly types?: ReadonlyArray<EntityType>
  /** Aliases count only when their range covers the day; absent: any range. */
  readonly day?: Day
  /** Ends before the fuzzy stage. */
  readonly noFuzzy?: boolean
}

/**
 * `entity` is null on a miss, and when several owners remain (`ambiguous`, with all of them in `candidates`).
 */
export interface Resolution {
  readonly entity: Entity | null
  readonly stage: ResolutionStage
  readonly confidence: number
  readonly ambiguous: boolean
  readonly candidates: ReadonlyArray<Entity>
}

/** The owners of every spelling. */
export interface NameIndex {
  readonly exact: ReadonlyMap<NameKey, ReadonlyArray<Entity>>
  readonly alias: ReadonlyMap<NameKey, ReadonlyArray<Entity>>
  /** By the names of `@generyczne_nazwy`, used only when no alias matches. */
  readonly generic: ReadonlyMap<NameKey, ReadonlyArray<Entity>>
}
