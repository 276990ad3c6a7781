import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { TagPatch } from '#protocol/lore/entity-writes.js'
import { bodyInvalid, type RefusalOf } from '#protocol/refusal.js'
import { type Ground, valueRemoved, valueSet } from '#src/domain/lore/changes.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import { endsFirst, type Row, type RowChange } from '#src/domain/lore/rows/row-change.js'
import { valueText } from '#src/domain/lore/rows/rows.js'
import { localUnderRef, type TagRule } from '#src/domain/lore/tag-schema.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { quoteBlock, quoteLine } from '../answers/quoted-lore.js'
import type { EntityTarget } from './entity-change.js'
import { checkWritable, daysOf, refuseValue, ruleOfBlock, tagValue } from './tags.js'

export type TagRefusal = RefusalOf<'TagUnknown' | 'ValueRefused' | 'BodyInvalid'>

/** The effect of a patch on a block: its tag, its value as the row will store it, and the row changes. */
export interface TagChange {
  readonly rule: TagRule
  readonly value: string | null
  readonly changes: ReadonlyArray<RowChange>
}

export const tagChange = (
  snapshot: Snapshot,
  target: EntityTarget,
  patch: TagPatch,
): Either<TagRefusal, TagChange> => {
  const { entity } = target
  const rule = ruleOfBlock(patch.tag, entity)
  if (isLeft(rule)) return rule
  const away = elsewhere(target, rule.right)
  if (away !== null) return left(away)
  if (patch.remove === true) return removal(snapshot, target, rule.right, patch)
  if (patch.value === undefined) return left(wantsValue)
  const { entities, people, day } = snapshot
  const value = tagValue(rule.right, patch.value, {
    name: entity.name,
    type: entity.type,
    entity,
    entities,
    people,
    day,
  })
  if (isLeft(value)) return value
  const days = daysOf(rule.right, patch)
  if (isLeft(days)) return days
  const { tag } = rule.right
  const wanted = { tag, value: value.right, ...days.right }
  const changes = valueSet(rule.right, wanted, groundOf(snapshot, target, rule.right))
  if (isLeft(changes)) return left(refuseOverlap(target, rule.right, changes.left))
  return changes.right.some(endsFirst)
    ? left(refuseValue('to', 'is before the first day of the value; send that day in `from`'))
    : right({ rule: rule.right, value: value.right, changes: changes.right })
}

/**
 * The state of a tag for `valueSet`. The block was parsed again from its file, so active rows from that file
 * are replaced by the row objects of this parse.
 */
const groundOf = ({ day }: Snapshot, { block, entity, file }: EntityTarget, { tag }: TagRule): Ground => {
  const rows = block.rows.filter(row => row.tag === tag)
  const here = ({ source }: Row): boolean => source._tag === 'File' && source.path === file.path
  const active = entity.rows.filter(row => row.tag === tag && activeOn(row.range, day))
  return {
    rows,
    active: active.map(row => (here(row) ? (rows.find(own => own.line === row.line) ?? row) : row)),
    today: day,
  }
}

/**
 * Refuses tags that `@ref` takes from another file: a row written here would never be read (`konflikt-ref`).
 */
const elsewhere = ({ entity }: EntityTarget, { tag }: TagRule): RefusalOf<'ValueRefused'> | null =>
  entity.ref === null || entity.ref.broken !== null || localUnderRef.has(tag)
    ? null
    : quoteBlock(
        refuseValue(`@${tag}`, `is read from ${entity.ref.file} through @ref; change it there`),
        refuseValue(`@${tag}`, 'is read from another file through @ref; change it there'),
        entity,
      )

/** A row of another file, or of a session, is served with its block. */
const refuseOverlap = (
  { entity }: EntityTarget,
  { tag }: TagRule,
  { value, range, source, line }: Row,
): RefusalOf<'ValueRefused'> => {
  const days = `${range.from ?? ''}:${range.to ?? ''}`
  const isOwn = source._tag === 'File' && source.path === entity.file
  return quoteLine(
    refuseValue(`@${tag}`, `has days in common with the row "${value}" (${days}); choose other days`),
    refuseValue(`@${tag}`, 'has days in common with another row; choose other days'),
    { file: entity.file, line: isOwn ? line : entity.line },
  )
}

const wantsValue = bodyInvalid('`value` must be a text.', { path: '$.value', expected: 'a text' })

const removal = (
  snapshot: Snapshot,
  target: EntityTarget,
  rule: TagRule,
  patch: TagPatch,
): Either<TagRefusal, TagChange> => {
  const [days, may] = [daysOf(rule, patch), checkWritable(rule)]
  if (isLeft(may)) return may
  if (isLeft(days)) return days
  if (rule.tag === 'typ')
    return left(refuseValue('@typ', 'cannot be removed, because every block has a type'))
  if (rule.multi && patch.value === undefined) return left(wantsValue)
  const value = patch.value === undefined ? null : valueText(patch.value)
  const changes = valueRemoved(rule, value, days.right, groundOf(snapshot, target, rule))
  return right({ rule, value, changes })
}
