import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { byRank } from '#src/domain/entities/reading/collect.js'
import { activeOn } from '#src/domain/lore/rows/range.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import type { NameIndex, Resolution, ResolutionStage, ResolveOptions } from './resolution.js'

/** The input of a stage. */
interface Query {
  readonly text: string
  readonly key: NameKey
  readonly options: ResolveOptions
}

/**
 * One stage of the pipeline. `owners` returns the blocks that it finds; an empty list passes the query on.
 */
interface StageRule {
  readonly stage: Exclude<ResolutionStage, 'miss'>
  readonly confidence: number
  readonly owners: (names: NameIndex, query: Query) => ReadonlyArray<Entity>
}

const isNamedOn = (entity: Entity, { key, options }: Query): boolean =>
  options.day === undefined ||
  entity.rows.some(
    row =>
      nameTags.has(row.tag) &&
      nameKey(row.value) === key &&
      (options.day === undefined || activeOn(row.range, options.day)),
  )

const nobody: ReadonlyArray<Entity> = []

const aliasOwners = (names: NameIndex, query: Query): ReadonlyArray<Entity> => {
  const owners = names.alias.get(query.key) ?? nobody
  return query.options.day === undefined ? owners : owners.filter(entity => isNamedOn(entity, query))
}

/** The stages in order (B 4.3). Declension, alternation, title, lemma and fuzzy will follow here (D11). */
const stages: ReadonlyArray<StageRule> = [
  { stage: 'exact', confidence: 1, owners: (names, { key }) => names.exact.get(key) ?? nobody },
  { stage: 'alias', confidence: 0.95, owners: aliasOwners },
  { stage: 'alias', confidence: 0.95, owners: (names, { key }) => names.generic.get(key) ?? nobody },
]

/** The owners of the given types, cached per group of owners, because thousands may share a name. */
const ofTypes = perValue((owners: ReadonlyArray<Entity>) => {
  const known = new Map<string, ReadonlyArray<Entity>>()
  return (types: ReadonlyArray<EntityType>): ReadonlyArray<Entity> => {
    const asked = types.join()
    const found = known.get(asked) ?? byRank(owners.filter(entity => types.includes(entity.type)))
    known.set(asked, found)
    return found
  }
})

const ranked = perValue(byRank)

/** The readings of an answer where the caller names no number. */
const readingsMax = 20

const miss: Resolution = {
  entity: null,
  stage: 'miss',
  confidence: 0,
  ambiguous: false,
  candidates: [],
  readings: [],
}

/**
 * Resolves a name. The first stage with an owner decides. The type filter comes before homonyms are judged,
 * so one survivor is the result and several are `ambiguous` (FORMATS 5.2). A blank query is a miss.
 */
export const resolveName = (names: NameIndex, query: string, options: ResolveOptions): Resolution => {
  const asked: Query = { text: query, key: nameKey(query), options }
  if (asked.key === '') return miss
  for (const { stage, confidence, owners } of stages) {
    const found = owners(names, asked)
    if (found.length === 0) continue
    const candidates = options.types === undefined ? ranked(found) : ofTypes(found)(options.types)
    const [first, second] = candidates
    if (first === undefined) continue
    const readings = candidates
      .slice(0, options.topN ?? readingsMax)
      .map(entity => ({ entity, form: query, cases: [], rule: stage }))
    return second === undefined
      ? { entity: first, stage, confidence, ambiguous: false, candidates, readings }
      : { entity: null, stage, confidence, ambiguous: true, candidates, readings }
  }
  return miss
}
