import type { Entity } from '#src/domain/entities/entity.js'
import type { NameReading, ResolutionStage } from './resolution.js'

/** What a stage found. `readingOf` is asked for the candidates that the answer shows. */
export interface Found {
  readonly stage: Exclude<ResolutionStage, 'miss'>
  readonly confidence: number
  readonly candidates: ReadonlyArray<Entity>
  readonly readingOf: (entity: Entity) => Omit<NameReading, 'entity'>
  /** Cases of the reading as bits; all where they are not known. */
  readonly cases: number
}
