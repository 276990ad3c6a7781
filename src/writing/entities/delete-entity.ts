import { type Either, getOrElse, isLeft, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Day } from '#protocol/atoms.js'
import type { DeleteAnswer } from '#protocol/entity-writes.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { type ChangeSet, scalarChange } from '#src/domain/lore/changes.js'
import { activeOn } from '#src/domain/lore/days.js'
import type { RowChange } from '#src/domain/lore/row-change.js'
import { rowSplices } from '#src/domain/lore/row-splices.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { entityClaim, fileEdit, touchBlock } from './entity-change.js'
import { type EntityTarget, targetOf } from './target.js'

const status = 'Usunięty'

const nothing = (): ReadonlyArray<RowChange> => []

const changesOf = (
  { day: today }: Snapshot,
  { block, entity }: EntityTarget,
  since: Day | null,
): ReadonlyArray<RowChange> => {
  const active = entity.rows.filter(row => row.tag === 'status' && activeOn(row.range, today))
  const rows = block.rows.filter(row => row.tag === 'status')
  const isGone = active.at(-1)?.value === status
  const from = since === null || isGone ? undefined : { text: since, day: since }
  const wanted = { tag: 'status', value: status, from, to: null }
  return pipe(scalarChange(wanted, { rows, active, today }), getOrElse(nothing))
}

/**
 * Deletes a block softly by a dated status; nothing is removed from the index (B 3, FORMATS 1.9). `since` is
 * the first day of the status; null means this month.
 */
export const deleteEntity = (
  snapshot: Snapshot,
  entity: Entity,
  since: Day | null = null,
): Either<RefusalOf<'RosterStoreProperty' | 'AmbiguousName'>, ChangeSet<DeleteAnswer>> => {
  const target = targetOf(snapshot.files, entity, null)
  if (isLeft(target)) return target
  const { block, lines, file } = target.right
  return right({
    edits: fileEdit(file, rowSplices(block, lines, changesOf(snapshot, target.right, since))),
    claims: [entityClaim(entity)],
    touches: [touchBlock(entity)],
    subject: `entities: ${entity.name} is deleted`,
    answer: { deleted: entity.name, status },
    preview: { wouldDelete: entity.name, status },
  })
}
