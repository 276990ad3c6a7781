import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { TagValues } from '#protocol/entity-writes.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { monthOf } from '#src/domain/lore/changes.js'
import { escapeComments } from '#src/domain/lore/lines.js'
import { renderLine } from '#src/domain/lore/rows.js'
import { type TagRule, tagKeys } from '#src/domain/lore/tag-schema.js'
import { refuseValue, tagValue, type ValuePlace } from './tag-value.js'
import { ruleOf } from './wanted-tag.js'

export type NewTags = ReadonlyMap<string, ReadonlyArray<string>>

type Refused = RefusalOf<'TagUnknown' | 'ValueRefused'>

const valuesOf = (
  rule: TagRule,
  written: ReadonlyArray<string>,
  place: ValuePlace,
): Either<Refused, ReadonlyArray<string>> => {
  const values = new Set<string>()
  for (const one of written) {
    const value = tagValue(rule, one, place)
    if (isLeft(value)) return value
    values.add(value.right)
  }
  if (rule.tag === 'typ' && [...values].some(value => value !== place.type))
    return left(refuseValue('@typ', `must be ${place.type} on this route`))
  if (!rule.multi && values.size > 1)
    return left(refuseValue(`@${rule.tag}`, 'is a list, but the tag takes one value'))
  return right([...values])
}

export const newTags = (written: TagValues, place: ValuePlace): Either<Refused, NewTags> => {
  const tags = new Map<string, ReadonlyArray<string>>()
  for (const [name, given] of Object.entries(written)) {
    const rule = ruleOf(name, place.type)
    if (isLeft(rule)) return rule
    const before = tags.get(rule.right.tag) ?? []
    const values = valuesOf(rule.right, [...before, ...(typeof given === 'string' ? [given] : given)], place)
    if (isLeft(values)) return values
    tags.set(rule.right.tag, values.right)
  }
  return right(tags)
}

const line = (tag: string, value: string, range = ''): string =>
  renderLine({ kind: 'tag', before: `- @${tag}:`, value, range, auto: false })

/**
 * The lines of a new block: its type, then its tags in the order of the schema; a status is dated (FORMATS
 * 1.9).
 */
export const blockLines = (
  name: string,
  { type, day }: Pick<ValuePlace, 'type' | 'day'>,
  tags: NewTags,
): ReadonlyArray<string> => {
  const rows = tagKeys
    .filter(tag => tag !== 'typ')
    .flatMap(tag =>
      (tags.get(tag) ?? []).map(value => line(tag, value, tag === 'status' ? `${monthOf(day)}:` : '')),
    )
  return [`### ${name}`, line('typ', type), ...rows].map(escapeComments)
}
