import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { NameUse } from '#protocol/entities/write.js'
import type { UnresolvedName } from '#protocol/sessions/session-body.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { aliasKeys } from '#src/domain/entities/reading/collect.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { possibleForms } from '#src/domain/names/possible-forms.js'
import type { NameIndex } from '#src/domain/names/resolution.js'
import { resolveUpToForms } from '#src/domain/names/resolve-forms.js'
import type { Batches } from '#src/domain/points/batch.js'
import { recordsOfKey } from '#src/domain/sessions/closing/recorded-blocks.js'
import { countFormUses, countSessionUses } from '#src/domain/sessions/naming/session-uses.js'
import type { Session } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { stagedSessions } from '#src/writing/sessions/lines/staged.js'

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

/**
 * The other blocks that a name means as an inflected form: a block that had it as a spelling would take it from
 * them (D61). None while a block has it as written.
 */
const ownersOfForm = ({ names }: Snapshot, name: string, than: Entity | null): ReadonlyArray<Entity> => {
  const { found, isForm } = resolveUpToForms(names, name)
  return isForm ? found.candidates.filter(one => one !== than) : []
}

const ofBlocks = (
  name: string,
  use: 'block' | 'form' | 'owner',
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
 * How many sessions have an effect that would change hands by a form: a form of the name that means no block yet
 * would mean its new bearer, and one that means `holder` would mean nobody without the name. Effects that name
 * the heading of a closed session's record are not counted; their meaning does not change.
 */
const countFormEffects = (
  names: NameIndex,
  sessions: ReadonlyArray<Session>,
  name: string,
  holder: Entity | null,
): number => {
  return countFormUses(sessions, nameKey(name), possibleForms(name), used => {
    const { found, isForm } = resolveUpToForms(names, used)
    return found.stage === 'miss' ? holder === null : isForm && holder !== null && found.entity === holder
  })
}

/**
 * Uses of a name that would pass to another block bearing it: owned blocks, narrators, effects and awards.
 * Ignores blocks that are `than` itself.
 */
const dependentUses = (snapshot: Snapshot, name: string, than: Entity | null): ReadonlyArray<NameUse> => {
  const key = nameKey(name)
  const { entities, sessions, closeLedger, batches } = snapshot
  const all = [...sessions.all, ...stagedSessions(snapshot).map(one => one.session)]
  const { narrators, effects } = countSessionUses(all, key, recordsOfKey(closeLedger, key).sessions)
  const owned = [...(ownedBy(entities).get(key) ?? [])].filter(one => one !== than)
  return [
    ...ofBlocks(name, 'owner', owned),
    ...toNameUses(name, 'narrator', narrators),
    ...toNameUses(name, 'effect', effects + countFormEffects(snapshot.names, all, name, than)),
    ...toNameUses(name, 'award', awarded(batches).get(key) ?? 0),
  ]
}

/**
 * Everything else in the lore that bears or uses a name: blocks of any type with all their spellings, blocks of
 * which it is an inflected form, rows of
 * `@należy_do`, narrator fields and effects of sessions, staged ones too (D61), blocks that closed sessions
 * mean by that heading, PU awards, and a character file. Empty when `than` already bears the name, because
 * then nothing changes hands.
 */
export const usesOfName = (snapshot: Snapshot, name: string, than: Entity | null): ReadonlyArray<NameUse> => {
  const key = nameKey(name)
  if (than !== null && (than.key === key || aliasKeys(than).includes(key))) return []
  return [
    ...ofBlocks(name, 'block', bearersOf(snapshot.entities, key)),
    ...ofBlocks(name, 'form', ownersOfForm(snapshot, name, than)),
    ...dependentUses(snapshot, name, null),
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
  return stays || !aliasKeys(holder).includes(key) ? [] : dependentUses(snapshot, value, holder)
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
