import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type Day, nameKey, nfc } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import type { NameUse, TagPatch } from '#protocol/lore/entity-writes.js'
import { ownTags } from '#protocol/lore/people.js'
import { type RefusalOf, refuse, refuseBoundExceeded } from '#protocol/refusal.js'
import type { Route } from '#protocol/route.js'
import { type Caller, callerName } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import { isOwnWrite, type OwnScope } from '#src/domain/identity/readable.js'
import { type ChangeSet, isHistory } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import { bytesOfLines, type FileRole, roleOf, textBytes } from '#src/domain/lore/layout.js'
import { newlineOf } from '#src/domain/lore/lines.js'
import { activeOn, parseBound } from '#src/domain/lore/rows/days.js'
import { valueText } from '#src/domain/lore/rows/rows.js'
import { type TagRule, tagRule } from '#src/domain/lore/tag-schema.js'
import { mixedWordIn } from '#src/domain/names/look-alike.js'
import { bytesOfCharacters } from '#src/domain/people/own-lore.js'
import { ownScopeAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { usesOfName, usesOfSpelling } from '../entities/name-uses.js'
import { tagName } from '../entities/tags.js'
import { aType } from '../entities/taken.js'
import { bytesOfReports } from '../sessions/report.js'

/**
 * The 403 for a caller whom the Postać does not belong to; null when the write is allowed. `scope` null: the
 * caller may write all.
 */
export const characterRefused = (scope: OwnScope | null, name: string): RefusalOf<'Forbidden'> | null =>
  scope === null || scope.isOwnCharacter(name)
    ? null
    : notOwn('With your rights you may write only the Postacie of your own Gracz.')

/**
 * Refuses another Postać to a caller limited to their own when the player has as many as allowed; null when
 * there is room.
 */
export const oneMoreExceeds = (scope: OwnScope | null): Refused | null => {
  const characters = scope === null ? 0 : scope.blocks.length + 1
  return characters <= bounds.ownCharacters.limit
    ? null
    : refuseBoundExceeded('ownCharacters', characters, null, 'Ask a narrator to create this one.')
}

/** What one player wrote, as `ownBytes` counts it. */
export interface OwnLore {
  /** The same for every write of the player. */
  readonly key: string
  /** Bytes of UTF-8 in the snapshot that the write is planned on. */
  readonly bytes: () => number
  /** What to do when there is no room: the sentence of the refusal. */
  readonly mend: string
}

/**
 * Limits a write to what one player may have in blocks, files and reports (D64). A write that makes nothing
 * longer always passes. The added claim keeps two writes of one player from being planned on one snapshot,
 * where together they could exceed the limit.
 */
export const withinOwnBounds = (
  snapshot: Snapshot,
  { key, bytes: standing, mend }: OwnLore,
  set: ChangeSet<unknown>,
): Either<Refused, ChangeSet<unknown>> => {
  if (set.edits.length === 0) return right(set)
  const growth = set.edits.reduce((sum, edit) => sum + growthOf(snapshot, edit), 0)
  const bytes = growth <= 0 ? 0 : standing() + growth
  return bytes > bounds.ownBytes.limit
    ? left(refuseBoundExceeded('ownBytes', bytes, null, mend))
    : right({ ...set, claims: [...set.claims, `own:${key}`] })
}

/**
 * The amount that a write of this row counts towards; null when the caller has no limit. Callers with the
 * full capability have none, and neither do reporters who may also write sessions.
 */
export const ownLoreAt = (
  snapshot: Snapshot,
  row: Pick<Route, 'capability'>,
  caller: Caller,
): OwnLore | null => {
  if (ownScopeAt(snapshot, caller) !== null) return loreOf(snapshot, caller, 'player.write.own')
  const isReport = row.capability === 'session.report' && isOwnWrite(row, caller)
  return isReport ? loreOf(snapshot, caller, 'session.report') : null
}

/** What a refusal may name to a caller: blocks with `entity.read`, sessions with `session.read`. */
export interface VisibleKinds {
  readonly entities: boolean
  readonly sessions: boolean
}

/** Which names an answer to this caller may show: those of blocks, and those of sessions. */
export const visibleKinds = ({ holds, view }: Pick<Caller, 'holds' | 'view'>): VisibleKinds => ({
  entities: gradeOf(holds, 'entity.read') === 'full',
  sessions: view.sessions,
})

/** Whether an answer may suggest names of blocks to a caller: those who may list entities or people. */
export const seesNames = (caller: Pick<Caller, 'holds' | 'view'>): boolean =>
  visibleKinds(caller).entities || gradeOf(caller.holds, 'player.read') === 'full'

/**
 * Refuses names that anything in the lore bears or uses, for a caller limited to their own Postacie: a
 * homonym could take over what belongs to another (D61). Names a use that the caller may see, if any. `than`
 * is the Postać that gets the names; null for a new one. Skips a name with a word that mixes scripts, which the plan
 * refuses for every caller.
 */
export const refuseOwnNames = (
  snapshot: Snapshot,
  visible: VisibleKinds,
  names: ReadonlyArray<string>,
  than: Entity | null,
): RefusalOf<'NameTaken'> | null => {
  for (const name of names.filter(one => mixedWordIn(one) === null)) {
    const holder = holderIn(usesOfName(snapshot, name, than), visible)
    if (holder === null) continue
    const { type, who } = holder
    return refuse('NameTaken', `${who} the name "${name}". Choose another name.`, { name, type })
  }
  return null
}

/**
 * Refuses to remove or end a spelling of the caller's own Postać that anything else uses: an effect of a
 * closed session would be lost or pass to another bearer (D61).
 */
export const refuseSpellingGone = (
  snapshot: Snapshot,
  visible: VisibleKinds,
  holder: Entity,
  spelling: { readonly tag: string; readonly value: string },
): RefusalOf<'NameTaken'> | null => {
  const used = holderIn(usesOfSpelling(snapshot, holder, spelling), visible)
  if (used === null) return null
  const [{ type, who }, name] = [used, spelling.value]
  const detail = `${who} the name "${name}", so you cannot take it from the Postać. Ask a narrator to change it.`
  return refuse('NameTaken', detail, { name, type })
}

/**
 * Refuses a tag of a new Postać that a caller limited to their own may not write, and an owner other than the
 * caller.
 */
export const newTagRefused = (scope: OwnScope | null, tag: string, value: string): Forbidden | null => {
  if (scope === null) return null
  if (tag !== owner) return tagRefused(tag)
  return scope.isSelf(value) ? null : notOwn('With your rights a new Postać must belong to your own Gracz.')
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

/** The 403 for a write of a Postać that does not belong to the caller (A 5.2). */
const notOwn = (detail: string): RefusalOf<'Forbidden'> =>
  refuse('Forbidden', detail, { required: 'player.write' })

type Refused = RefusalOf<'BoundExceeded'>

/** Roles of the files that hold what a player writes. */
const ownRoles: ReadonlySet<FileRole> = new Set<FileRole>(['index', 'character', 'draft'])

/** Upper bound of the bytes by which an edit lengthens a player's files; negative when it shortens them. */
const growthOf = ({ files }: Snapshot, edit: FileEdit): number => {
  if (!ownRoles.has(roleOf(edit.path))) return 0
  const file = files.get(edit.path)
  if (edit._tag === 'Whole')
    return Buffer.byteLength(edit.after ?? '') - (file === undefined ? 0 : textBytes(file))
  const text = file?.text ?? ''
  const newline = newlineOf(text).length
  const added = edit.splices
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => sum + Buffer.byteLength(line) + newline, 0)
  return added - bytesOfLines(text, edit.splices)
}

const mends = {
  'player.write.own': 'Remove what is not needed, or ask a narrator.',
  'session.report': 'Ask a narrator to accept the reports that you sent, then send this one again.',
} as const

/**
 * Postacie of the caller's Gracz and reports of the caller. Callers without a Gracz share the reports of
 * their kind.
 */
const loreOf = (snapshot: Snapshot, caller: Caller, capability: keyof typeof mends): OwnLore => {
  const by = callerName(caller)
  const scope = ownScopeAt(snapshot, { ...caller, grade: 'own' })
  return {
    key: scope?.person?.key ?? nameKey(by),
    bytes: () => bytesOfCharacters(snapshot, scope?.blocks ?? []) + bytesOfReports(snapshot.files, by),
    mend: mends[capability],
  }
}

/** The bearer of a name in a refusal: a block or a session that the caller may see, else an unnamed one. */
interface Holder {
  readonly type: string
  readonly who: string
}

const somebody: Holder = { type: '', who: 'Something in the lore has' }

const ofSession = (use: NameUse['use']): string => {
  if (use === 'narrator') return 'The narrator field of a session has'
  return use === 'award' ? 'A PU award has' : 'A session uses'
}

const ofBlock = (use: NameUse['use'], { name, type }: NameUse['blocks'][number]): string => {
  if (use === 'lookalike') return `${aType(type)} ("${name}") has a name that looks like`
  if (use === 'block') return `${aType(type)} ("${name}") has`
  return use === 'form' ? `${aType(type)} ("${name}") shares an inflected form with` : `"${name}" belongs to`
}

const holderOf = ({ use, blocks }: NameUse, visible: VisibleKinds): Holder | null => {
  const [block] = blocks
  if (block !== undefined) {
    if (!visible.entities) return null
    return { type: block.type, who: ofBlock(use, block) }
  }
  if (use === 'file') return visible.entities ? { type: 'Postać', who: 'A character file has' } : null
  return visible.sessions ? { type: 'Sesja', who: ofSession(use) } : null
}

/** The use that a refusal names; null when there are no uses. */
const holderIn = (uses: ReadonlyArray<NameUse>, visible: VisibleKinds): Holder | null => {
  if (uses.length === 0) return null
  for (const use of uses) {
    const holder = holderOf(use, visible)
    if (holder !== null) return holder
  }
  return somebody
}

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

const sameText = (one: string, other: string): boolean => nfc(one) === nfc(other)

/** Whether the value is in force today, by the deciding row. */
const holdsToday = ({ rows }: Entity, rule: TagRule, value: string, today: Day): boolean => {
  const active = rows.filter(row => row.tag === rule.tag && activeOn(row.range, today))
  return rule.multi ? active.some(row => sameText(row.value, value)) : active.at(-1)?.value === value
}
