import { type Day, nfc } from '#protocol/atoms.js'
import type { TagPatch } from '#protocol/entity-writes.js'
import { ownTags } from '#protocol/people.js'
import type { RefusalOf } from '#protocol/refusal.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { OwnScope } from '#src/domain/identity/readable.js'
import { isHistory } from '#src/domain/lore/changes.js'
import { activeOn, parseBound } from '#src/domain/lore/days.js'
import { valueText } from '#src/domain/lore/rows.js'
import { type TagRule, tagRule } from '#src/domain/lore/tag-schema.js'
import { tagName } from '../entities/wanted-tag.js'
import { notOwn } from './own-writes.js'

type Forbidden = RefusalOf<'Forbidden'>

const written: ReadonlySet<string> = new Set(ownTags)

const allowed = ownTags.map(tag => `@${tag}`).join(', ')

/** The tag of the owner, which only the creation of a Postać sets. */
const owner = 'należy_do'

/**
 * Refuses a tag that `player.write.own` does not cover. A tag that no Postać has passes here: the rule of the
 * row refuses it and lists the right ones.
 */
const tagRefused = (tag: string): Forbidden | null =>
  written.has(tag) || tagRule(tag, 'Postać') === null
    ? null
    : notOwn(`You may not write @${tag} with player.write.own. You may write: ${allowed}.`)

/**
 * Refuses a tag of a new Postać that a caller limited to their own may not write, and an owner other than the
 * caller.
 */
export const newTagRefused = (scope: OwnScope | null, tag: string, value: string): Forbidden | null => {
  if (scope === null) return null
  if (tag !== owner) return tagRefused(tag)
  return scope.isSelf(value) ? null : notOwn('With your rights a new Postać must belong to your own Gracz.')
}

/**
 * Whether a bound in the request is before today. An invalid bound returns false: the rule of the row refuses
 * it.
 */
const isPast = (written: string | null | undefined, side: 'from' | 'to', today: Day): boolean => {
  const day = typeof written === 'string' ? parseBound(written, side) : null
  return day !== null && day < today
}

const daysRefused = (rule: TagRule, { from, to }: TagPatch, today: Day): Forbidden | null => {
  const begins = isPast(from, 'from', today) || (from === null && isHistory(rule))
  if (!begins && !isPast(to, 'to', today)) return null
  const field = begins ? '`from`' : '`to`'
  return notOwn(
    `${field} of @${rule.tag} is before today, ${today}. With player.write.own you cannot change past days.`,
  )
}

/** Refuses a change that a caller limited to their own may not make: of another tag, or of past days. */
export const patchRefused = (scope: OwnScope | null, patch: TagPatch, today: Day): Forbidden | null => {
  if (scope === null) return null
  const tag = tagName(patch.tag)
  const refusal = tagRefused(tag)
  if (refusal !== null) return refusal
  const rule = tagRule(tag, 'Postać')
  return rule === null ? null : daysRefused(rule, patch, today)
}

const sameText = (one: string, other: string): boolean => nfc(one) === nfc(other)

/** Whether the value is in force today, by the deciding row. */
const holdsToday = ({ rows }: Entity, rule: TagRule, value: string, today: Day): boolean => {
  const active = rows.filter(row => row.tag === rule.tag && activeOn(row.range, today))
  return rule.multi ? active.some(row => sameText(row.value, value)) : active.at(-1)?.value === value
}

/**
 * The patch of a caller limited to their own. A change without a stated day takes effect today, because the
 * default, the first of the month, is in the past (ADR 1026).
 */
export const fromToday = (scope: OwnScope | null, entity: Entity, patch: TagPatch, today: Day): TagPatch => {
  const rule = tagRule(tagName(patch.tag), 'Postać')
  if (scope === null || rule === null || !isHistory(rule) || patch.from !== undefined) return patch
  if (patch.remove === true) return (patch.to ?? null) === null ? { ...patch, from: today } : patch
  const stays = patch.value === undefined || holdsToday(entity, rule, valueText(patch.value), today)
  return stays ? patch : { ...patch, from: today }
}
