import { type Either, isLeft, left, mapLeft, right } from 'fp-ts/lib/Either.js'
import { type EntityType, nfc } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { RangeBound } from '#src/domain/lore/changes.js'
import { parseBound } from '#src/domain/lore/days.js'
import { type TagRule, tagRule, tagsOfType, universalTags } from '#src/domain/lore/tag-schema.js'
import { quoteBlock } from '../answers/quoted-lore.js'
import { aType } from './article.js'
import { refuseValue } from './tag-value.js'

/** A tag as a body names it, with or without the at sign, in the form that the schema uses. */
export const tagName = (written: string): string => nfc(written).trim().replace(/^@/u, '').toLowerCase()

/** The rule of a tag on a type; the refusal lists the tags that the type accepts. */
export const ruleOf = (written: string, type: EntityType): Either<RefusalOf<'TagUnknown'>, TagRule> => {
  const tag = tagName(written)
  const rule = tagRule(tag, type)
  if (rule !== null) return right(rule)
  const allowed = [...universalTags, ...tagsOfType(type)].map(one => `@${one}`)
  return left(
    refuse('TagUnknown', `${aType(type)} does not take this tag. Use one of \`allowed\`.`, {
      tag: `@${tag.slice(0, 80)}`,
      allowed,
    }),
  )
}

/** The rule of a tag on the type of a block. A refusal names the type only to readers of the block. */
export const ruleOfBlock = (written: string, entity: Entity): Either<RefusalOf<'TagUnknown'>, TagRule> =>
  mapLeft((refusal: RefusalOf<'TagUnknown'>) =>
    quoteBlock(
      refusal,
      refuse('TagUnknown', 'The type of the block does not take this tag. GET /schema lists the tags.', {
        tag: refusal.tag,
        allowed: universalTags.map(one => `@${one}`),
      }),
      entity,
    ),
  )(ruleOf(written, entity.type))

/** The days of a change as a body states them. */
export interface Days {
  readonly from: RangeBound | null | undefined
  readonly to: RangeBound | null
}

const boundOf = (
  written: string | null | undefined,
  side: 'from' | 'to',
): Either<RefusalOf<'ValueRefused'>, RangeBound | null | undefined> => {
  if (written === null || written === undefined) return right(written)
  const [text, day] = [written.trim(), parseBound(written, side)]
  return day === null ? left(refuseValue(side, 'is not YYYY, YYYY-MM or YYYY-MM-DD')) : right({ text, day })
}

/** Parses the days of a change. Refuses days for a tag that is never dated. */
export const daysOf = (
  rule: TagRule,
  written: { readonly from?: string | null; readonly to?: string | null },
): Either<RefusalOf<'ValueRefused'>, Days> => {
  const [from, to] = [boundOf(written.from, 'from'), boundOf(written.to, 'to')]
  if (isLeft(from)) return from
  if (isLeft(to)) return to
  const days = { from: from.right, to: to.right ?? null }
  const said = [written.from, written.to].some(bounds => typeof bounds === 'string')
  if (said && !rule.dated) return left(refuseValue(`@${rule.tag}`, 'has no dates; leave out `from` and `to`'))
  const start = days.from?.day ?? null
  return start !== null && days.to !== null && start > days.to.day
    ? left(refuseValue('to', 'is before `from`'))
    : right(days)
}
