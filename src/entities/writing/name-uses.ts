import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { NameUse } from '#protocol/entities/write.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import { perValue } from '#src/lore/per-value.js'
import { countSessionUses } from '#src/sessions/naming/session-uses.js'
import { stagedSessions } from '#src/sessions/writing/staged.js'
import { aliasKeys } from '../collect.js'
import type { Entities, Entity } from '../entity.js'

/** Blocks that one use names; `count` tells of all. */
const blocksMax = 20

const put = (map: Map<NameKey, Set<Entity>>, key: NameKey, entity: Entity): void => {
  const known = map.get(key)
  if (known === undefined) map.set(key, new Set([entity]))
  else known.add(entity)
}

/** Every block by the owners that its rows of `@należy_do` name, on any day. */
const ownedBy = perValue(({ all }: Entities): ReadonlyMap<NameKey, ReadonlySet<Entity>> => {
  const owned = new Map<NameKey, Set<Entity>>()
  for (const entity of all)
    for (const row of entity.rows) if (row.tag === 'należy_do') put(owned, nameKey(row.value), entity)
  return owned
})

const bearersOf = ({ byHeading, byAlias, byGeneric }: Entities, key: NameKey): ReadonlySet<Entity> =>
  new Set([byHeading, byAlias, byGeneric].flatMap(map => map.get(key) ?? []))

const ofBlocks = (name: string, use: 'block' | 'owner', blocks: Iterable<Entity>): ReadonlyArray<NameUse> => {
  const all = [...blocks]
  const shown = all.slice(0, blocksMax).map(one => ({ name: one.name, type: one.type }))
  return all.length === 0 ? [] : [{ name, use, count: all.length, blocks: shown }]
}

const ofSessions = (name: string, use: 'narrator' | 'effect', count: number): ReadonlyArray<NameUse> =>
  count === 0 ? [] : [{ name, use, count, blocks: [] }]

/**
 * What else in the lore bears or uses a name: blocks of any type with all their spellings, rows of `@należy_do`,
 * narrator fields and effects of sessions, staged ones too (D61). Empty where `than` bears the name already, since then
 * nothing changes hands.
 */
export const usesOfName = (snapshot: Snapshot, name: string, than: Entity | null): ReadonlyArray<NameUse> => {
  const key = nameKey(name)
  if (than !== null && (than.key === key || aliasKeys(than).includes(key))) return []
  const { entities, sessions } = snapshot
  const staged = stagedSessions(snapshot).map(one => one.session)
  const { narrators, effects } = countSessionUses([...sessions.all, ...staged], key)
  return [
    ...ofBlocks(name, 'block', bearersOf(entities, key)),
    ...ofBlocks(name, 'owner', ownedBy(entities).get(key) ?? []),
    ...ofSessions(name, 'narrator', narrators),
    ...ofSessions(name, 'effect', effects),
  ]
}

/** The uses of names as an answer tells them; nothing where there are none. */
export const unresolvedUses = (
  snapshot: Snapshot,
  names: ReadonlyArray<string>,
  than: Entity | null,
): { readonly unresolved?: ReadonlyArray<NameUse> } => {
  const unresolved = [...new Set(names)].flatMap(name => usesOfName(snapshot, name, than))
  return unresolved.length === 0 ? {} : { unresolved }
}
