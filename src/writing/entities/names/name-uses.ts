import { type NameKey, nameKey } from '#protocol/atoms.js'
import type { NameUse } from '#protocol/entity-writes.js'
import type { UnresolvedName } from '#protocol/session-writes.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { aliasKeys } from '#src/domain/entities/reading.js'
import { nameTags } from '#src/domain/lore/rows.js'
import { findLookAlikes, plainReadings } from '#src/domain/names/look-alike.js'
import { resolveUpToForms, usualForms } from '#src/domain/names/possible-forms.js'
import type { NameIndex, Resolution } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { Batches } from '#src/domain/points/batches.js'
import { recordsOfKey } from '#src/domain/sessions/closed-sessions.js'
import { countSessionUses } from '#src/domain/sessions/reading/mentions.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { stagedSessions } from '#src/writing/sessions/lines/staged.js'
import { type ChangedTexts, countFormsChanged, mayGain, mayLose } from './form-uses.js'

/** How many blocks one use names; `count` covers all of them. */
const blocksMax = 20

const put = (map: Map<NameKey, Set<Entity>>, key: NameKey, entity: Entity): void => {
  const known = map.get(key)
  if (known === undefined) map.set(key, new Set([entity]))
  else known.add(entity)
}

/** Blocks by the owners that their `@należy_do` rows name, on any day. */
const ownedBy = perValue(({ all }: Entities): ReadonlyMap<NameKey, ReadonlySet<Entity>> => {
  const owned = new Map<NameKey, Set<Entity>>()
  for (const entity of all)
    for (const row of entity.rows) if (row.tag === 'należy_do') put(owned, nameKey(row.value), entity)
  return owned
})

const bearersOf = ({ byHeading, byAlias, byGeneric }: Entities, key: NameKey): ReadonlySet<Entity> =>
  new Set([byHeading, byAlias, byGeneric].flatMap(map => map.get(key) ?? []))

/** The confidence of a reading that no surer one can displace, by its stage (FORMATS 5.5). */
const surest: Partial<Readonly<Record<Resolution['stage'], number>>> = {
  alias: 0.9,
  declension: 0.9,
  alternation: 0.85,
}

const isDisplaceable = ({ stage, confidence }: Resolution): boolean =>
  stage === 'title' || stage === 'lemma' || confidence < (surest[stage] ?? 0)

/** What a text means that no block has as a written name, up to titles and lemmas; null when a block has it. */
const resolveAsForm = (names: NameIndex, text: string): Resolution | null => {
  const { found, isForm } = resolveUpToForms(names, text)
  if (found.stage === 'miss') return resolveName(names, text, { upTo: 'lemma' })
  return isForm ? found : null
}

/**
 * The other blocks that would lose a form to a block that got the name: those that the name means as a form now,
 * behind titles and by `lematy.tsv` too, and those that a usual form of the name means less surely than it would
 * mean the new bearer (D61).
 */
const ownersOfForms = ({ names }: Snapshot, name: string, than: Entity | null): ReadonlyArray<Entity> => {
  const meant = resolveAsForm(names, name)
  const displaced = usualForms(name)
    .map(form => resolveAsForm(names, form))
    .filter(one => one !== null && isDisplaceable(one))
  const owners = new Set([meant, ...displaced].flatMap(one => one?.candidates ?? []))
  return [...owners].filter(one => one !== than)
}

/**
 * The other blocks with a name that looks like the given one, or with a form or a computed alias that a name with
 * letters other than Polish ones looks like.
 */
const ownersOfLookAlikes = (snapshot: Snapshot, name: string, than: Entity | null): ReadonlyArray<Entity> => [
  ...findLookAlikes(snapshot.entities, name, than),
  ...plainReadings(name).flatMap(reading => ownersOfForms(snapshot, reading, than)),
]

const ofBlocks = (
  name: string,
  use: 'block' | 'form' | 'lookalike' | 'owner',
  blocks: Iterable<Entity>,
): ReadonlyArray<NameUse> => {
  const all = [...blocks]
  const shown = all.slice(0, blocksMax).map(one => ({ name: one.name, type: one.type }))
  return all.length === 0 ? [] : [{ name, use, count: all.length, blocks: shown }]
}

const toNameUses = (name: string, use: NameUse['use'], count: number): ReadonlyArray<NameUse> =>
  count === 0 ? [] : [{ name, use, count, blocks: [] }]

/** How many PU batches credit each name. */
const awarded = perValue(({ all }: Batches): ReadonlyMap<NameKey, number> => {
  const counts = new Map<NameKey, number>()
  for (const { awards } of all)
    for (const key of new Set(awards.map(one => nameKey(one.character))))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
})

/**
 * Uses of a name that would pass to another block bearing it: owned blocks, narrators, effects and awards.
 * Ignores blocks that are `than` itself.
 */
const dependentUses = (
  snapshot: Snapshot,
  name: string,
  than: Entity | null,
  changed: ChangedTexts,
): ReadonlyArray<NameUse> => {
  const key = nameKey(name)
  const { entities, sessions, closeLedger, batches, names } = snapshot
  const all = [...sessions.all, ...stagedSessions(snapshot).map(one => one.session)]
  const { narrators, effects } = countSessionUses(all, key, recordsOfKey(closeLedger, key).sessions)
  const byForm = countFormsChanged(names, all, name, changed)
  const owned = [...(ownedBy(entities).get(key) ?? [])].filter(one => one !== than)
  return [
    ...ofBlocks(name, 'owner', owned),
    ...toNameUses(name, 'narrator', narrators + byForm.narrators),
    ...toNameUses(name, 'effect', effects + byForm.effects),
    ...toNameUses(name, 'award', awarded(batches).get(key) ?? 0),
  ]
}

/**
 * Everything else in the lore that bears or uses a name: blocks of any type with all their spellings, blocks of
 * which it is an inflected form, blocks with a name that looks like it, rows of
 * `@należy_do`, narrator fields and effects of sessions, staged ones too (D61), blocks that closed sessions
 * mean by that heading, PU awards, and a character file. Empty when `than` already bears the name, because
 * then nothing changes hands.
 */
export const usesOfName = (snapshot: Snapshot, name: string, than: Entity | null): ReadonlyArray<NameUse> => {
  const key = nameKey(name)
  if (than !== null && (than.key === key || aliasKeys(than).includes(key))) return []
  const bearers = bearersOf(snapshot.entities, key)
  const owners = ownersOfForms(snapshot, name, than).filter(one => !bearers.has(one))
  const others = new Set([...bearers, ...owners])
  const alike = ownersOfLookAlikes(snapshot, name, than).filter(one => !others.has(one))
  return [
    ...ofBlocks(name, 'block', bearers),
    ...ofBlocks(name, 'form', owners),
    ...ofBlocks(name, 'lookalike', new Set(alike)),
    ...dependentUses(snapshot, name, null, mayGain(snapshot.names, than)),
    ...toNameUses(name, 'file', snapshot.characterFiles.has(key) ? 1 : 0),
  ]
}

/**
 * Everything that would mean another block, or none, if `holder` lost a spelling. Empty when the block also
 * bears the name by its heading or by a row of another tag than `tag`. Character files are found by heading,
 * so they do not count.
 */
export const usesOfSpelling = (
  snapshot: Snapshot,
  holder: Entity,
  { tag, value }: { readonly tag: string; readonly value: string },
): ReadonlyArray<NameUse> => {
  const key = nameKey(value)
  const stays = holder.rows.some(
    row => row.tag !== tag && nameTags.has(row.tag) && nameKey(row.value) === key,
  )
  return stays || !aliasKeys(holder).includes(key)
    ? []
    : dependentUses(snapshot, value, holder, mayLose(snapshot.names, holder, key))
}

/** The part of an answer about names that do not mean exactly one block; absent when there are none. */
export interface ToldNames {
  readonly unresolved?: ReadonlyArray<NameUse | UnresolvedName>
}

/** Uses of the names that a write gave, and names that it uses and that mean no block or several. */
export const unresolvedUses = (
  snapshot: Snapshot,
  given: ReadonlyArray<string>,
  than: Entity | null,
  used: ReadonlyArray<UnresolvedName> = [],
): ToldNames => {
  const uses = [...new Set(given)].flatMap(name => usesOfName(snapshot, name, than))
  return uses.length + used.length === 0 ? {} : { unresolved: [...uses, ...used] }
}
