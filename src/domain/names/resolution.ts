import type { Day, EntityType } from '#protocol/atoms.js'
import type { Entity, Owners } from '#src/domain/entities/entity.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Titles } from '#src/domain/polish/inflect.js'
import type { SpellingTable } from './spelling-table.js'
import type { FormCorrections, LanguageData } from './word-table.js'

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

/**
 * The last stage that a caller takes. `alias`: headings, written aliases and generic names. `alternation`: also
 * computed aliases and generated forms. `lemma`: also a name behind a title, and annotated lemmas. `fuzzy`: all.
 */
export type NameReach = 'alias' | 'alternation' | 'lemma' | 'fuzzy'

/** A turn of a filter. Once it is over, the filter refuses blocks that it has not looked at. */
export interface FilterTurn {
  /** True ends a search with a miss: the caller begins the next turn and asks again. */
  readonly isOver: () => boolean
  readonly begin: () => void
}

export interface ResolveOptions {
  readonly upTo: NameReach
  /** Only blocks of these types count. Applied before homonyms are judged (FORMATS 5.2). */
  readonly types?: ReadonlyArray<EntityType>
  /** Aliases count only when their range covers the day; absent: any range. */
  readonly day?: Day
  /** Only blocks that it accepts count: those of a region, or those that the caller may see. */
  readonly within?: (entity: Entity) => boolean
  /** The turns of a `within` that looks at a bounded number of blocks in each. */
  readonly turn?: FilterTurn
  /** The largest spelling distance of the fuzzy stage, 0 to 3; absent: 3. */
  readonly maxDistance?: number
  /** Forms that grammar makes of a name for the other gender count too, below all others. */
  readonly anyGender?: boolean
  /** A word that one block alone has in its names does not stand for the block. */
  readonly wholeNames?: boolean
  /** The most readings of the answer; absent: 20. `candidates` has all owners. */
  readonly topN?: number
}

/** How a text is a form of one candidate. */
export interface NameReading {
  readonly entity: Entity
  /** The heading or alias that the text is a form of. */
  readonly form: string
  /** Number and case as `sg.gen`; empty where the stage knows none. */
  readonly cases: ReadonlyArray<string>
  /** What was undone, for `?explain`: `exact`, `alias`, `a>y`, `title`, `distance 2`. */
  readonly rule: string
}

/**
 * `entity` is null on a miss, and when several owners remain (`ambiguous`, with them in `candidates`).
 */
export interface Resolution {
  readonly entity: Entity | null
  readonly stage: ResolutionStage
  readonly confidence: number
  readonly ambiguous: boolean
  /** All owners of a written name that no `within` or `day` filters; else at most 201. */
  readonly candidates: ReadonlyArray<Entity>
  /** Of the first `topN` candidates, best first. */
  readonly readings: ReadonlyArray<NameReading>
}

/** The generated forms of the spellings of an index. */
export interface NameForms {
  readonly table: SpellingTable
  readonly titles: Titles
  readonly corrections: FormCorrections
}

/** The owners of every spelling, and the forms of the spellings. */
export interface NameIndex {
  readonly exact: Owners
  readonly alias: Owners
  /** By the names of `@generyczne_nazwy`, used only when no alias matches. */
  readonly generic: Owners
  /** Null: forms were not built, or the names are above the budget; then names resolve as written. */
  readonly forms: NameForms | null
  readonly language: LanguageData
  readonly findings: ReadonlyArray<Finding>
}

/** What a stage found. `readingOf` is asked for the candidates that the answer shows. */
export interface StageHit {
  readonly stage: Exclude<ResolutionStage, 'miss'>
  readonly confidence: number
  readonly candidates: ReadonlyArray<Entity>
  readonly readingOf: (entity: Entity) => Omit<NameReading, 'entity'>
  /** Cases of the reading as bits; all where they are not known. */
  readonly cases: number
}
