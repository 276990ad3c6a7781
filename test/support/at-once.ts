import { type Either } from 'fp-ts/lib/Either.js'
import type { Day, NameKey } from '#protocol/atoms.js'
import type { EntityAnswer } from '#protocol/lore/entities.js'
import { closingGroundInSlices } from '#src/domain/adoption/adopted-tree.js'
import type { Tree } from '#src/domain/adoption/legacy/manifest.js'
import { type AdoptionPlan, planAdoptionInSlices } from '#src/domain/adoption/plan.js'
import { buildEntitiesInSlices } from '#src/domain/entities/entities.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { entityTagOf, projectWithInSlices } from '#src/domain/entities/projection.js'
import { corpusInSlices, entityListInSlices } from '#src/domain/entities/references.js'
import {
  type MergeCeiling,
  type MergedFile,
  mergeCeiling,
  mergeFileInSlices,
} from '#src/domain/lore/merging/merge-file.js'
import { type Side, type Three } from '#src/domain/lore/merging/units.js'
import { buildNameIndexInSlices } from '#src/domain/names/name-index.js'
import type { NameIndex } from '#src/domain/names/spelling-table.js'
import { type SearchDocument } from '#src/domain/search/document.js'
import { type DocumentBatch, type DocumentPlan, nextDocuments } from '#src/domain/search/texts/documents.js'
import {
  type ClosingGround,
  parseCloseLedgerInSlices,
  recordMeaningsInSlices,
} from '#src/domain/sessions/effects/closed-sessions.js'
import { buildOverlayInSlices, type Overlaid } from '#src/domain/sessions/effects/overlay.js'
import { type Naming, sessionsNamingInSlices } from '#src/domain/sessions/reading/mentions.js'
import type { CloseLedger, Meaning, Sessions } from '#src/domain/sessions/session.js'
import { atOnce, mapInSlices } from '#src/domain/slicing/sliced.js'
import { type BodyRefusal, decodeBodyInSlices } from '#src/http/checks/body.js'

/** Every document of a text, in one turn. */
export const documentsAtOnce = (plan: DocumentPlan): ReadonlyArray<SearchDocument> => {
  const all: Array<SearchDocument> = []
  for (let from: number | null = 0; from !== null; ) {
    const batch: DocumentBatch = atOnce(nextDocuments(plan, from))
    for (const document of batch.documents) all.push(document)
    from = batch.next
  }
  return all
}

/** Runs `mergeFileInSlices` without yielding, for tests and for files that are known to be small. */
export const mergeFile = (
  path: string,
  texts: Three<string | null>,
  stands: Side,
  ceiling: MergeCeiling = mergeCeiling,
): MergedFile => atOnce(mergeFileInSlices(path, texts, { stands, ceiling }))

/** Runs `recordMeaningsInSlices` to its end without yielding. */
export const recordMeanings = (
  ...args: Parameters<typeof recordMeaningsInSlices>
): ReadonlyMap<NameKey, Meaning> => atOnce(recordMeaningsInSlices(...args))

/** Runs `sessionsNamingInSlices` to its end without yielding. */
export const sessionsNaming = (sessions: Sessions, names: NameIndex): Naming =>
  atOnce(sessionsNamingInSlices(sessions, names))

/** Runs `buildOverlayInSlices` to its end without yielding. */
export const buildOverlay = (...args: Parameters<typeof buildOverlayInSlices>): Overlaid =>
  atOnce(buildOverlayInSlices(...args))

/** Runs `parseCloseLedgerInSlices` to its end without yielding. */
export const parseCloseLedger = (...args: Parameters<typeof parseCloseLedgerInSlices>): CloseLedger =>
  atOnce(parseCloseLedgerInSlices(...args))

/** Runs `buildNameIndexInSlices` to its end without yielding. */
export const buildNameIndex = (...args: Parameters<typeof buildNameIndexInSlices>): NameIndex =>
  atOnce(buildNameIndexInSlices(...args))

/** Runs `entityListInSlices` to its end without yielding. */
export const entityList = (...args: Parameters<typeof entityListInSlices>): Buffer =>
  atOnce(entityListInSlices(...args))

/** Runs `corpusInSlices` to its end without yielding. */
export const corpusBytes = (...args: Parameters<typeof corpusInSlices>): Buffer =>
  atOnce(corpusInSlices(...args))

/** Runs `buildEntitiesInSlices` to its end without yielding. */
export const entitiesOf = (...args: Parameters<typeof buildEntitiesInSlices>): Entities =>
  atOnce(buildEntitiesInSlices(...args))

/** Runs `planAdoptionInSlices` to its end without yielding. */
export const planAdoption = (...args: Parameters<typeof planAdoptionInSlices>): AdoptionPlan =>
  atOnce(planAdoptionInSlices(...args))

/** Runs `decodeBodyInSlices` to its end without yielding. */
export const decodeBody = (...args: Parameters<typeof decodeBodyInSlices>): Either<BodyRefusal, unknown> =>
  atOnce(decodeBodyInSlices(...args))

/** Runs `closingGroundInSlices` to its end without yielding. */
export const closingGroundOf = (tree: Tree): ClosingGround => atOnce(closingGroundInSlices(tree))

/** The projection of an entity with rows as values. */
export const projectionOf = (entity: Entity, day: Day, owner: string | null): EntityAnswer =>
  atOnce(projectWithInSlices(entity, day, owner, shown => mapInSlices(shown.rows, entityTagOf)))
