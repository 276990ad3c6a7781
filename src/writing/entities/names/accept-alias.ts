import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import type { AliasAnswer } from '#protocol/names.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { activeOn } from '#src/domain/lore/days.js'
import { nameTags, valueText } from '#src/domain/lore/rows.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { type PatchRefusal, patchEntity } from '../patch-entity.js'
import { formTaken } from './form-taken.js'

const answersOf = ({ name, type }: Entity, surface: string, changed: boolean) => {
  const said = { name, type, changed }
  return { answer: { accepted: surface, ...said }, preview: { wouldAccept: surface, ...said } }
}

const unchanged = (entity: Entity, surface: string): ChangeSet<AliasAnswer> => ({
  edits: [],
  claims: [],
  touches: [],
  subject: `names: "${surface}" is a name of ${entity.name} already`,
  ...answersOf(entity, surface, false),
})

/** Whether the block has the spelling as its heading, or as another spelling that is active today. */
const isCalled = ({ key: heading, rows }: Entity, key: NameKey, day: Day): boolean =>
  key === heading ||
  rows.some(({ tag, value, range }) => nameTags.has(tag) && nameKey(value) === key && activeOn(range, day))

const blankRun = /[ \u00a0]+/gu
const monthChars = 'YYYY-MM'.length

/**
 * Writes a spelling as `@alias` of a block from the month of today on, unless another block has it in any form
 * (B 4.1).
 */
export const acceptAlias = (
  snapshot: Snapshot,
  entity: Entity,
  written: string,
): Either<Exclude<PatchRefusal, { readonly _tag: 'TagUnknown' }>, ChangeSet<AliasAnswer>> => {
  const surface = valueText(written).replace(blankRun, ' ')
  const taken = formTaken(snapshot, surface, entity)
  if (taken !== null) return left(taken)
  if (isCalled(entity, nameKey(surface), snapshot.day)) return right(unchanged(entity, surface))
  const from = snapshot.day.slice(0, monthChars)
  const patched = patchEntity(snapshot, entity, { tag: 'alias', value: surface, from })
  if (isLeft(patched)) {
    if (patched.left._tag === 'TagUnknown')
      throw new Error('a block does not take @alias, which every block takes')
    return left(patched.left)
  }
  return right({ ...patched.right, ...answersOf(entity, surface, patched.right.edits.length > 0) })
}
